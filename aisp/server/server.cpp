// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/server.h"

#include <csignal>
#include <deque>
#include <new>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include "aisp/server/connection.h"
#include "aisp/server/event_feed.h"
#include "aisp/server/response_text.h"

namespace aisp::server {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using ErrorOr = boost::system::error_code;

constexpr int kTries = 20;  ///< for a port that is free at both addresses

std::vector<asio::ip::address> addresses_of(Loopback at) {
  std::vector<asio::ip::address> addresses;
  if (at != Loopback::ipv6) addresses.emplace_back(asio::ip::address_v4::loopback());
  if (at != Loopback::ipv4) addresses.emplace_back(asio::ip::address_v6::loopback());
  return addresses;
}

ErrorOr open_at(Tcp::acceptor& acceptor, const Tcp::endpoint& here) {
  ErrorOr error;
  (void)acceptor.open(here.protocol(), error);
  if (!error) (void)acceptor.set_option(asio::socket_base::reuse_address(true), error);
  // Whatever the machine's default is: IPv4 has a socket of its own.
  if (!error && here.address().is_v6()) (void)acceptor.set_option(asio::ip::v6_only(true), error);
  if (!error) (void)acceptor.bind(here, error);
  if (!error) (void)acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

Error cannot_listen(const Tcp::endpoint& here, const ErrorOr& error) {
  std::string hint = "--port takes another; those below 1024 belong to root";
  if (error == asio::error::address_in_use)
    hint = "another program has it; --port takes another, and --port 0 any that is free";
  if (here.address().is_v6() && error != asio::error::address_in_use && error != asio::error::access_denied)
    hint = "this machine has no IPv6 loopback; leave --host out";
  return {ErrorCode::environment,
          "cannot listen on port " + std::to_string(here.port()) + " of this machine (" +
              here.address().to_string() + "): " + error.message(),
          hint};
}

}  // namespace

struct Server::State {
  explicit State(const ServerOptions& given)
      : shared{.options = given},
        pool(static_cast<std::size_t>(given.threads)),
        signals(context, SIGINT, SIGTERM, SIGHUP),
        feed(context, pool, shared.options) {
    shared.pool = &pool;
    shared.feed = &feed;
  }

  /// Where connections come in, at one address.
  struct Door {
    explicit Door(asio::io_context& context) : acceptor(context) {}
    Tcp::acceptor acceptor;
    std::weak_ptr<int> watch;  ///< lives while somebody waits for the next one, whatever becomes of it
  };
  void accept(Door& door);
  void begin_again();
  Status listen();
  void take(Tcp::socket socket);
  void end();

  Shared shared;  ///< outlives the connections that wait in the context
  asio::io_context context{1};
  asio::thread_pool pool;
  std::deque<Door> doors;  ///< one for each address; they stay where they are
  asio::signal_set signals;
  EventFeed feed;
  std::vector<std::weak_ptr<Connection>> connections;
  int signal = 0;
};

void Server::State::take(Tcp::socket socket) {
  if (shared.open >= shared.options.connections) {
    // Not worth waiting for: what the socket takes at once is told, and the rest is silence.
    ErrorOr ignored;
    (void)socket.non_blocking(true, ignored);
    const std::string text = early_refusal_text(refusal(503, "too many connections", "close some, or wait"));
    socket.write_some(asio::buffer(text), ignored);
    return;
  }
  auto connection = std::make_shared<Connection>(std::move(socket), shared);
  std::erase_if(connections, [](const auto& each) { return each.expired(); });
  connections.push_back(connection);
  connection->begin();
}

void Server::State::accept(Door& door) {
  auto watch = std::make_shared<int>();
  door.watch = watch;
  door.acceptor.async_accept(
      [this, &door, watch = std::move(watch)](ErrorOr error, Tcp::socket socket) mutable {
        watch.reset();
        if (error == asio::error::operation_aborted) return;
        if (!error) {
          take(std::move(socket));
          return accept(door);
        }
        // Out of descriptors, most likely: some will come back. A timer of its own, because the other address
        // may be waiting too.
        auto pause = std::make_shared<asio::steady_timer>(context, std::chrono::milliseconds(50));
        pause->async_wait([this, &door, pause](ErrorOr) {
          if (door.acceptor.is_open() && door.watch.expired()) accept(door);
        });
      });
}

/// What nobody waits for any more, because the memory for it was refused.
void Server::State::begin_again() {
  for (Door& door : doors)
    if (door.acceptor.is_open() && door.watch.expired()) accept(door);
  feed.look();
}

/// At every address that was asked for, on one port.
Status Server::State::listen() {
  const ServerOptions& options = shared.options;
  for (int tries = 0;; ++tries) {
    std::uint16_t port = options.port;
    ErrorOr error;
    Tcp::endpoint here;
    doors.clear();
    for (const asio::ip::address& address : addresses_of(options.at)) {
      here = {address, port};
      error = open_at(doors.emplace_back(context).acceptor, here);
      if (error) break;
      port = doors.back().acceptor.local_endpoint().port();
    }
    if (!error) return Ok{};
    // The port that was free at one address is not at the other: another one will be.
    if (options.port == 0 && error == asio::error::address_in_use && tries < kTries) continue;
    return cannot_listen(here, error);
  }
}

void Server::State::end() {
  ErrorOr ignored;
  for (Door& door : doors) (void)door.acceptor.close(ignored);
  (void)signals.cancel(ignored);
  feed.stop();
  for (const auto& each : connections)
    if (const auto connection = each.lock()) connection->close();
  context.stop();
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() {
  state_->pool.stop();
  state_->pool.join();
}

Result<std::unique_ptr<Server>> Server::listen(const ServerOptions& options) {
  auto state = std::make_unique<State>(options);
  if (const Status listening = state->listen(); !listening) return listening.error();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const { return state_->doors.front().acceptor.local_endpoint().port(); }

int Server::run() {
  State& state = *state_;
  state.signals.async_wait([&state](ErrorOr error, int signal) {
    if (error) return;
    state.signal = signal;
    state.end();
  });
  for (;;) {
    try {
      state.begin_again();
      state.context.run();
      return state.signal;
    } catch (const std::bad_alloc&) {
      // Whoever's turn it was is let go with it; the others are served, once there is memory.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

bool Server::answering() const { return state_->shared.answering > 0; }

void Server::stop() {
  asio::post(state_->context, [this] { state_->end(); });
}

void Server::broadcast(const Event& event) {
  try {
    asio::post(state_->context, [this, event] { state_->feed.broadcast(event); });
  } catch (const std::bad_alloc&) {
    // Those who listen miss it, as those do who were not listening.
  }
}

}  // namespace aisp::server
