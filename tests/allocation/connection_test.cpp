// SPDX-License-Identifier: Apache-2.0
// Memory that is refused anywhere in a server with sockets: whoever asked is answered or let go, and whoever
// asks next is answered.
#include <array>
#include <string_view>
#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "aisp/server/server.h"
#include "tests/allocation/failing_memory.h"

namespace aisp::allocation {
namespace {

// Whatever is answered, the connection ends with it.
constexpr std::string_view kPlain =
    "GET /api/v1/plain HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
constexpr std::string_view kEvents =
    "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
constexpr std::string_view kWrong400 = "GET / HTTP/1.1\nHost: localhost\n\n";

server::Service& service() {
  using server::Asked;
  using server::Response;
  static server::Service service(
      {.token = {},
       .routes = {{.method = "GET",
                   .path = "/api/v1/plain",
                   .summary = "answers",
                   .answer = [](const Asked&) { return Response{.body = std::string(1000, 'x')}; },
                   .kept = true},
                  {.method = "GET",
                   .path = "/api/v1/events",
                   .summary = "events",
                   .answer =
                       [](const Asked&) { return Response{.type = "text/event-stream", .events = true}; }}},
       .files = {},
       .program_version = {}});
  return service;
}

/// A client that allocates nothing: what fails is the server's. True where `mark` comes before the end.
bool told(int port, std::string_view request, std::string_view mark) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::array<char, 8192> bytes{};
  std::size_t size = 0;
  bool found = false;
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
    while (!found && size < bytes.size()) {
      const ssize_t came = ::recv(fd, bytes.data() + size, bytes.size() - size, 0);
      if (came <= 0) break;
      size += static_cast<std::size_t>(came);
      found = std::string_view(bytes.data(), size).find(mark) != std::string_view::npos;
    }
  }
  ::close(fd);
  return found;
}

void expect_lives_on(std::string_view request, std::string_view mark) {
  const Sweep sweep = sweep_allocations(Memory::cpp, 1, [&](long) {
    stop_failing();
    alarm(60);
    server::ServerOptions options{.port = 0, .service = &service()};
    options.threads = 2;
    options.patience.poll = std::chrono::milliseconds(5);
    const auto listening = server::Server::listen(options);
    if (!listening) return kWrong;
    const int port = (*listening)->port();
    std::thread thread([&] { (*listening)->run(); });
    // What a first request allocates for good is done.
    const bool begun = told(port, kPlain, "xxx");
    start_here();
    const bool answered = told(port, request, mark);
    stop_failing();
    const bool next = told(port, kPlain, "xxx") && told(port, kEvents, "event: hello");
    (*listening)->stop();
    thread.join();
    if (!begun || !next) return kWrong;
    return answered ? kDone : kRefused;
  });
  EXPECT_EQ(sweep.wrong, "") << request;
  EXPECT_EQ(sweep.aborted, 0) << request;
  EXPECT_EQ(sweep.threw, 0) << request;
  EXPECT_GT(sweep.failures, 10) << request;
}

TEST(ServerWithoutMemory, LivesOn) {
  expect_lives_on(kPlain, "xxx");
  expect_lives_on(kEvents, "event: hello");
  expect_lives_on(kWrong400, "HTTP/1.1 400");
}

}  // namespace
}  // namespace aisp::allocation
