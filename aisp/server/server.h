// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sockets: listens on this machine alone and carries requests to a Service and events to whoever
/// listens for them.
///
///   Result<std::unique_ptr<Server>> server = Server::listen({.port = 8100, .service = &service, ...});
///   (*server)->run();    // until SIGINT, SIGTERM, SIGHUP or stop()
///
/// One thread moves bytes, a few answer; a question that takes long keeps no other client waiting for its
/// turn to be read.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/server/event_text.h"
#include "aisp/server/request_reader.h"
#include "aisp/server/service.h"

namespace aisp::server {

struct Patience {
  std::chrono::milliseconds request{10000};  ///< from its first byte to its last
  std::chrono::milliseconds idle{60000};     ///< between requests
  std::chrono::milliseconds write{30000};    ///< for a client to take a response
  std::chrono::milliseconds poll{300};       ///< between looks for news
  std::chrono::milliseconds keep_alive{10000};
};

/// Addresses of this machine that no other one reaches.
enum class Loopback { ipv4, ipv6, both };

struct ServerOptions {
  Loopback at = Loopback::ipv4;
  std::uint16_t port = 8100;  ///< 0: any that is free, the same at both addresses
  Service* service = nullptr;
  std::function<News(std::int64_t after)> news = [](std::int64_t) { return News{}; };
  /// What who begins to listen is told after `hello`; called on the thread that moves bytes.
  std::function<std::vector<Event>()> greeting = [] { return std::vector<Event>(); };
  Limits limits;
  Patience patience;
  int connections = 256;
  int threads = 4;
};

class Server {
 public:
  /// Fails where the port is taken, or an address that was asked for is not there.
  static Result<std::unique_ptr<Server>> listen(const ServerOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  /// Returns the signal that ended it, or 0 after stop().
  int run();
  /// Whether questions are being answered still, behind run(). The destructor waits for them.
  bool answering() const;
  /// Both from any thread.
  void stop();
  void broadcast(const Event& event);

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace aisp::server
