// SPDX-License-Identifier: Apache-2.0
// What clients do to a server over real connections.
#include <atomic>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "aisp/server/server.h"
#include "tests/server/client.h"

namespace aisp::server::test {
namespace {

using std::chrono::milliseconds;

class Sockets : public ::testing::Test {
 protected:
  /// A server with these limits, on a thread of this test.
  void begin(ServerOptions options = {}) {
    options.port = 0;
    options.service = &service_;
    options.news = [this](std::int64_t after) {
      const std::lock_guard lock(mutex_);
      News news{.events = {}, .last = static_cast<std::int64_t>(happened_.size())};
      for (std::int64_t i = after; i < news.last; ++i)
        news.events.push_back({i + 1, "cell_finished", happened_[static_cast<std::size_t>(i)]});
      return news;
    };
    auto listening = Server::listen(options);
    ASSERT_TRUE(listening) << listening.error().message;
    server_ = *std::move(listening);
    port_ = server_->port();
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    if (!server_) return;
    server_->stop();
    thread_.join();
  }
  void happen(const std::string& what) {
    const std::lock_guard lock(mutex_);
    happened_.push_back(what);
  }
  int status(const std::string& bytes) {
    Client client(port_);
    client.send(bytes);
    return client.receive().status;
  }

  std::mutex mutex_;
  std::vector<std::string> happened_;
  std::atomic<bool> wait_{false};
  Service service_{
      {.token = "0123456789abcdef",
       .routes = {{.method = "GET",
                   .path = "/api/v1/plain",
                   .summary = "answers",
                   .answer = [](const Asked&) { return Response{.body = "{}"}; }},
                  {.method = "GET",
                   .path = "/api/v1/large",
                   .summary = "eight megabytes",
                   .answer = [](const Asked&) { return Response{.body = std::string(8 << 20, 'x')}; }},
                  {.method = "GET",
                   .path = "/api/v1/slow",
                   .summary = "waits",
                   .answer =
                       [this](const Asked&) {
                         while (wait_) std::this_thread::sleep_for(milliseconds(1));
                         return Response{.body = "{}"};
                       }},
                  {.method = "GET",
                   .path = "/api/v1/events",
                   .summary = "events",
                   .parameters = {{.name = "after"}},
                   .answer =
                       [](const Asked& asked) {
                         return Response{
                             .type = "text/event-stream", .events = true, .after = asked.text("after")};
                       }}},
       .files = {},
       .program_version = {}}};
  std::unique_ptr<Server> server_;
  std::thread thread_;
  int port_ = 0;
};

TEST_F(Sockets, AnswersAndKeepsTheConnection) {
  begin();
  Client client(port_);
  for (int i = 0; i < 3; ++i) {
    client.get("/api/v1/plain");
    const Received received = client.receive();
    EXPECT_EQ(received.status, 200);
    EXPECT_EQ(received.body, "{}");
    EXPECT_NE(received.head.find("Connection: keep-alive"), std::string::npos);
  }
  client.get("/api/v1/plain", "Connection: close\r\n");
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(status("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n"), 200);
}

TEST_F(Sockets, PipelinedRequestsAreAnsweredInTheirOrder) {
  begin();
  Client client(port_);
  const std::string host = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send("GET /api/v1/plain" + host + "GET /api/v1/nothing" + host + "HEAD /api/v1/plain" + host +
              "GET /api/v1/plain" + host);
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 404);
  EXPECT_NE(client.until("\r\n\r\n").find("Content-Length: 2\r\n"), std::string::npos) << "HEAD, and no body";
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(Sockets, RefusesAndEndsTheConnection) {
  begin();
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 421);
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 421);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n"), 403);
  EXPECT_EQ(status("POST /api/v1/plain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"), 401);
  EXPECT_EQ(status("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
  EXPECT_EQ(status("GET /%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
  for (const char* bytes : {"nonsense\r\n\r\n", "GET / HTTP/1.1\nHost: localhost\n\n",
                            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    Client client(port_);
    client.send(bytes);
    const Received received = client.receive();
    EXPECT_EQ(received.status, 400) << bytes;
    EXPECT_NE(received.body.find("\"error\""), std::string::npos);
    EXPECT_TRUE(client.ended()) << bytes;
  }
}

TEST_F(Sockets, TooMuchIsToldAndCutOff) {
  begin();
  Client body(port_);
  body.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n" +
            std::string(200000, 'x'));
  EXPECT_EQ(body.receive().status, 413) << "although not all of it was read";
  Client head(port_);
  head.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(10 << 20, 'x'));
  EXPECT_EQ(head.receive().status, 431);
  EXPECT_EQ(status("GET /" + std::string(20000, 'x') + " HTTP/1.1\r\n"), 414);
}

TEST_F(Sockets, ASlowClientIsLetGoAndKeepsNobodyWaiting) {
  ServerOptions options;
  options.patience.request = milliseconds(300);
  options.patience.idle = milliseconds(300);
  begin(options);
  Client slow(port_), silent(port_);
  slow.send("GET / HTTP/1.1\r\nHost: localhost\r\n");
  std::atomic<bool> over{false};
  std::thread trickle([&] {
    while (!over && slow.send("X: y\r\n")) std::this_thread::sleep_for(milliseconds(20));
  });
  EXPECT_EQ(status("GET /api/v1/plain HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200) << "meanwhile";
  EXPECT_EQ(slow.receive().status, 408) << "however steadily it sends";
  over = true;
  trickle.join();
  EXPECT_EQ(silent.receive().status, 408);
  Client idle(port_);
  idle.get("/api/v1/plain");
  EXPECT_EQ(idle.receive().status, 200);
  EXPECT_TRUE(idle.ended()) << "between requests it goes without a word";
}

TEST_F(Sockets, AClientThatTakesNothingIsLetGo) {
  ServerOptions options;
  options.patience.write = milliseconds(300);
  begin(options);
  Client client(port_);
  client.get("/api/v1/large");
  std::this_thread::sleep_for(milliseconds(600));
  std::string all = client.until("never", std::chrono::seconds(60));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(status("GET /api/v1/plain HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

TEST_F(Sockets, ConnectionsAreCounted) {
  ServerOptions options;
  options.connections = 20;
  begin(options);
  std::vector<Client> clients;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(port_);
    clients.back().get("/api/v1/plain");
    EXPECT_EQ(clients.back().receive().status, 200) << i;
  }
  Client one_more(port_);
  EXPECT_EQ(one_more.receive().status, 503);
  EXPECT_TRUE(one_more.ended());
  clients.clear();
  int last = 0;
  for (int i = 0; i < 1000 && last != 200; ++i) {
    last = status("GET /api/v1/plain HTTP/1.1\r\nHost: localhost\r\n\r\n");
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(last, 200) << "there is room again";
}

TEST_F(Sockets, ClientsThatGoAwayDoNoHarm) {
  begin();
  wait_ = true;
  for (int i = 0; i < 30; ++i) {
    Client before(port_), during(port_), half(port_);
    before.reset();
    half.send("GET /api/v1/la");
    half.reset();
    during.get(i % 2 == 0 ? "/api/v1/slow" : "/api/v1/large");
    during.reset();
    if (i == 3) wait_ = false;  // all threads that answer were waiting
  }
  EXPECT_EQ(status("GET /api/v1/plain HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

TEST_F(Sockets, AClientThatSaysNoMoreIsAnsweredAndLetGo) {
  ServerOptions options;
  options.connections = 8;
  begin(options);
  for (int i = 0; i < 20; ++i) {  // more than there is room for at once
    Client asked(port_);
    asked.get("/api/v1/large");
    asked.say_no_more();
    const Received received = asked.receive();
    EXPECT_EQ(received.status, 200) << i;
    EXPECT_EQ(received.body.size(), std::size_t{8} << 20) << "all of it";
    EXPECT_TRUE(asked.ended()) << "nothing can come any more";
    Client silent(port_), half(port_);
    silent.say_no_more();
    half.send("POST /api/v1/plain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    half.say_no_more();
    EXPECT_EQ(silent.receive().status, 0) << "without a word: " << i;
    EXPECT_TRUE(silent.ended()) << i;
    EXPECT_EQ(half.receive().status, 0) << "the rest of it will not come: " << i;
    EXPECT_TRUE(half.ended()) << i;
  }
}

TEST_F(Sockets, ClientsThatGoAwayInTheMiddleOfAnAnswerDoNoHarm) {
  ServerOptions options;
  options.connections = 4;
  begin(options);
  for (int i = 0; i < 20; ++i) {
    Client client(port_);
    client.get("/api/v1/large");
    EXPECT_NE(client.until("xxxx"), "") << "some of it has come: " << i;
    client.reset();
    int last = 0;
    for (int tries = 0; tries < 1000 && last != 200; ++tries)
      last = status("GET /api/v1/plain HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(last, 200) << "its place is free again: " << i;
  }
}

TEST_F(Sockets, WhatIsRefusedEarlyIsGuardedToo) {
  ServerOptions options;
  options.patience.request = milliseconds(300);
  options.connections = 34;
  begin(options);
  const auto guarded = [](const Received& received, int status) {
    EXPECT_EQ(received.status, status) << received.head;
    for (const char* field : {"X-Content-Type-Options: nosniff\r\n", "Cache-Control: no-store\r\n",
                              "Content-Security-Policy: default-src 'self'", "X-Frame-Options: DENY\r\n"})
      EXPECT_NE(received.head.find(field), std::string::npos) << status << field << received.head;
  };
  const auto refused = [&](const std::string& bytes, int status) {
    Client client(port_);
    client.send(bytes);
    guarded(client.receive(), status);
  };
  const std::string begins = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  refused("nonsense\r\n\r\n", 400);
  refused("GET / HTTP/1.1\r\nHost: localhost\r\n", 408);
  refused(begins + "Content-Length: 100000000\r\n\r\n", 413);
  refused("GET /" + std::string(20000, 'x') + " HTTP/1.1\r\n", 414);
  refused(begins + "Expect: 100-continue\r\n\r\n", 417);
  refused(begins + "X: " + std::string(40000, 'x'), 431);
  refused("GET / HTTP/3.0\r\n\r\n", 505);
  std::vector<Client> listeners;
  for (int i = 0; i < 32; ++i) {
    listeners.emplace_back(port_);
    listeners.back().get("/api/v1/events");
    EXPECT_NE(listeners.back().until("event: hello"), "") << i;
  }
  Client one_more(port_);
  one_more.get("/api/v1/events");
  guarded(one_more.receive(), 503);
  std::vector<Client> others;
  Received crowded;
  for (int i = 0; i < 5 && crowded.status != 503; ++i) {
    others.emplace_back(port_);
    others.back().get("/api/v1/plain");
    crowded = others.back().receive();
  }
  guarded(crowded, 503);
}

TEST_F(Sockets, ManyAtOnceAreAllAnswered) {
  begin();
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      std::vector<Client> clients;
      for (int i = 0; i < 16; ++i) clients.emplace_back(port_);
      for (int round = 0; round < 5; ++round) {
        for (Client& client : clients) client.get("/api/v1/plain");
        for (Client& client : clients) answered += client.receive().status == 200;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 8 * 16 * 5);
}

TEST_F(Sockets, EventsArriveAsTheyHappen) {
  ServerOptions options;
  options.patience.poll = milliseconds(10);
  options.patience.keep_alive = milliseconds(50);
  happen("{\"n\":1}");
  happen("{\"n\":2}");
  begin(options);
  Client fresh(port_), returning(port_);
  fresh.get("/api/v1/events");
  EXPECT_NE(fresh.until("\r\n\r\n").find("text/event-stream"), std::string::npos);
  EXPECT_NE(fresh.until("\n\n").find("{\"last\":2}"), std::string::npos);
  returning.get("/api/v1/events?after=1");
  EXPECT_NE(returning.until("data: {\"n\":2}\n\n").find("id: 2\nevent: cell_finished"), std::string::npos);
  happen("{\"n\":3}");
  EXPECT_NE(fresh.until("data: {\"n\":3}\n\n"), "");
  EXPECT_NE(returning.until("data: {\"n\":3}\n\n"), "");
  server_->broadcast({.kind = "job", .data = "{\"x\":1}"});
  EXPECT_NE(fresh.until("event: job\ndata: {\"x\":1}\n\n"), "");
  EXPECT_NE(fresh.until(": \n\n"), "") << "a sign of life";
  returning.reset();
  happen("{\"n\":4}");
  EXPECT_NE(fresh.until("data: {\"n\":4}\n\n"), "");
}

TEST_F(Sockets, SaysWhatIsWrongWithAPort) {
  begin();
  const auto second = Server::listen({.port = static_cast<std::uint16_t>(port_), .service = &service_});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::environment);
  EXPECT_NE(second.error().hint.find("another program has it"), std::string::npos);
}

}  // namespace
}  // namespace aisp::server::test
