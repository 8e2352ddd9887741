// SPDX-License-Identifier: Apache-2.0
/// \file
/// Carries what is new in the store to every client that listens, each from where it stands. Looks only while
/// somebody listens; lives on the thread that moves bytes.
///
/// Include it in .cpp files only: Boost.Asio is slow to compile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "aisp/server/server.h"

namespace aisp::server {

class Connection;

inline constexpr std::size_t kMostListeners = 32;

class EventFeed {
 public:
  EventFeed(boost::asio::io_context& context, boost::asio::thread_pool& pool, const ServerOptions& options);

  /// False: there are too many.
  bool add(const std::shared_ptr<Connection>& connection, const std::string& after);
  void broadcast(const Event& event);
  /// For what is new, now and from time to time while somebody listens.
  void look();
  /// Nothing is looked for from now on.
  void stop();

 private:
  struct Listener {
    std::weak_ptr<Connection> connection;
    std::optional<std::int64_t> seen;  ///< nothing: begins with what comes next
    bool greeted = false;
  };
  /// What came behind `after`.
  void deliver(const News& news, std::int64_t after);
  void wait();

  boost::asio::io_context& context_;
  boost::asio::thread_pool& pool_;
  const ServerOptions& options_;
  boost::asio::steady_timer timer_;
  std::vector<Listener> listeners_;
  std::chrono::steady_clock::time_point alive_ = {};  ///< the last sign of life was sent
  std::weak_ptr<int> look_;  ///< lives while one is under way, and ends with it whatever becomes of it
  bool stopped_ = false;
};

}  // namespace aisp::server
