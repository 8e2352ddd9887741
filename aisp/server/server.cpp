// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/server.h"

#include <csignal>

#include <boost/asio/io_context.hpp>
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

}  // namespace

struct Server::State {
  explicit State(const ServerOptions& given)
      : shared{.options = given},
        pool(static_cast<std::size_t>(given.threads)),
        acceptor(context),
        signals(context, SIGINT, SIGTERM, SIGHUP),
        pause(context),
        feed(context, pool, shared.options) {
    shared.pool = &pool;
    shared.feed = &feed;
  }

  void accept();
  void take(Tcp::socket socket);
  void end();

  Shared shared;  ///< outlives the connections that wait in the context
  asio::io_context context{1};
  asio::thread_pool pool;
  Tcp::acceptor acceptor;
  asio::signal_set signals;
  asio::steady_timer pause;
  EventFeed feed;
  std::vector<std::weak_ptr<Connection>> connections;
  int signal = 0;
};

void Server::State::take(Tcp::socket socket) {
  if (shared.open >= shared.options.connections) {
    // Not worth waiting for: what the socket takes at once is told, and the rest is silence.
    ErrorOr ignored;
    (void)socket.non_blocking(true, ignored);
    const std::string text =
        response_text(refusal(503, "too many connections", "close some, or wait"), Request{}, false);
    socket.write_some(asio::buffer(text), ignored);
    return;
  }
  auto connection = std::make_shared<Connection>(std::move(socket), shared);
  std::erase_if(connections, [](const auto& each) { return each.expired(); });
  connections.push_back(connection);
  connection->begin();
}

void Server::State::accept() {
  acceptor.async_accept([this](ErrorOr error, Tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      take(std::move(socket));
      return accept();
    }
    // Out of descriptors, most likely: some will come back.
    pause.expires_after(std::chrono::milliseconds(50));
    pause.async_wait([this](ErrorOr stopped) {
      if (!stopped) accept();
    });
  });
}

void Server::State::end() {
  ErrorOr ignored;
  (void)acceptor.close(ignored);
  (void)signals.cancel(ignored);
  pause.cancel();
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
  const Tcp::endpoint here(asio::ip::address_v4::loopback(), options.port);
  ErrorOr error;
  Tcp::acceptor& acceptor = state->acceptor;
  (void)acceptor.open(here.protocol(), error);
  if (!error) (void)acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) (void)acceptor.bind(here, error);
  if (!error) (void)acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    const bool taken = error == asio::error::address_in_use;
    return Error{
        ErrorCode::environment,
        "cannot listen on port " + std::to_string(options.port) + " of this machine: " + error.message(),
        taken ? "another program has it; --port takes another, and --port 0 any that is free"
              : "--port takes another; those below 1024 belong to root"};
  }
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }

int Server::run() {
  State& state = *state_;
  state.signals.async_wait([&state](ErrorOr error, int signal) {
    if (error) return;
    state.signal = signal;
    state.end();
  });
  state.accept();
  state.context.run();
  return state.signal;
}

bool Server::answering() const { return state_->shared.answering > 0; }

void Server::stop() {
  asio::post(state_->context, [this] { state_->end(); });
}

void Server::broadcast(const Event& event) {
  asio::post(state_->context, [this, event] { state_->feed.broadcast(event); });
}

}  // namespace aisp::server
