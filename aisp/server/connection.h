// SPDX-License-Identifier: Apache-2.0
/// \file
/// One client: reads a request, has it answered, writes the response, and again. Everything here happens on
/// the thread that moves bytes; only Service::answer() happens elsewhere.
///
/// Include it in .cpp files only: Boost.Asio is slow to compile.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "aisp/server/server.h"

namespace aisp::server {

class EventFeed;

/// What every connection of a server uses.
struct Shared {
  ServerOptions options;
  boost::asio::thread_pool* pool = nullptr;
  EventFeed* feed = nullptr;
  std::atomic<int> open{0};       ///< connections
  std::atomic<int> answering{0};  ///< requests
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  Connection(Socket socket, Shared& shared);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// This one and all that follow happen until the connection ends; where memory is refused, that is now.
  void begin();
  /// To a client that listens for events. One that does not take them is let go.
  void send(const std::string& text);
  void close();

 private:
  template <class Step>
  void or_close(Step step);
  void read();
  void next_request();
  void answer(Request request);
  void deliver(const Request& asked, const Response& response, std::string text);
  void write(std::string text, bool keep_alive);
  void listen_for_events(const Response& response);
  void write_events();
  void notice_end();
  void linger();
  void within(std::chrono::milliseconds time, bool tell);
  void at_leisure();

  Socket socket_;
  Shared& shared_;
  boost::asio::steady_timer deadline_;
  RequestReader reader_;
  std::array<char, 8192> chunk_{};
  std::string outgoing_, waiting_;  ///< what is being written, and events behind it
  std::size_t lingered_ = 0;
  unsigned deadlines_ = 0;  ///< so many were set: one that fired as the next was set is known by its number
  bool timed_ = false;      ///< the deadline of a request runs
  bool events_ = false;     ///< the client listens for events
  bool closed_ = false;
};

}  // namespace aisp::server
