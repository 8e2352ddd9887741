// SPDX-License-Identifier: Apache-2.0
// What a client may send, and what is refused before anything looks at it.
#include "aisp/server/request_reader.h"

#include <gtest/gtest.h>

namespace aisp::server {

using namespace std::string_literals;

namespace {

constexpr const char* kPlain = "GET /api/v1/runs?limit=2 HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n\r\n";

/// The status that ends the connection, 200 for a request, 0 while more is needed.
int status_of(const std::string& bytes, const Limits& limits = {}) {
  RequestReader reader(limits);
  reader.put(bytes);
  const auto read = reader.next();
  if (!read) return 0;
  const auto* refused = std::get_if<Response>(&*read);
  return refused == nullptr ? 200 : refused->status;
}

TEST(RequestReader, ReadsARequestHoweverItArrives) {
  for (std::size_t step : {1u, 2u, 7u, 1000u}) {
    RequestReader reader;
    std::optional<std::variant<Request, Response>> read;
    const std::string bytes = kPlain;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      ASSERT_FALSE(read) << step;
      reader.put(bytes.substr(at, step));
      read = reader.next();
    }
    ASSERT_TRUE(read) << step;
    const auto& request = std::get<Request>(*read);
    EXPECT_EQ(request.method, "GET");
    EXPECT_EQ(request.target, "/api/v1/runs?limit=2");
    EXPECT_EQ(*request.header("host"), "localhost");
    EXPECT_EQ(*request.header("x-a"), "b");
    EXPECT_TRUE(request.keep_alive);
    EXPECT_FALSE(reader.begun());
  }
}

TEST(RequestReader, ReadsPipelinedRequestsAndBodies) {
  RequestReader reader;
  reader.put("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n" + std::string(kPlain) +
             "GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(std::get<Request>(*reader.next()).body, "abc");
  EXPECT_EQ(std::get<Request>(*reader.next()).target, "/api/v1/runs?limit=2");
  EXPECT_FALSE(std::get<Request>(*reader.next()).keep_alive);
  EXPECT_FALSE(reader.next());
}

TEST(RequestReader, RefusesWhatSmugglesRequests) {
  const std::string line = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  EXPECT_EQ(status_of(line + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(status_of(line + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(status_of(line + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), 400);
  EXPECT_EQ(status_of(line + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), 400);
  EXPECT_EQ(status_of(line + "Content-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(status_of(line + "Content-Length: 3, 3\r\n\r\nabc"), 400);
  EXPECT_EQ(status_of(line + "Content-Length: 0x3\r\n\r\nabc"), 400);
  EXPECT_EQ(status_of(line + "X-A: b\r\n c\r\n\r\n"), 400) << "folded";
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: localhost\n\n"), 400) << "bare line feeds, before any timeout";
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: local\rhost\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: a\0b\r\n\r\n"s), 400);
  EXPECT_EQ(status_of("GET  / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a b HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX A: b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX-A : b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("\x16\x03\x01\x02\r\n\r\n"), 400) << "TLS";
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(status_of(line + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"), 417);
}

TEST(RequestReader, KeepsItsLimits) {
  EXPECT_EQ(status_of("GET /" + std::string(9000, 'a')), 414) << "before the line ends";
  EXPECT_EQ(status_of("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n"), 414);
  EXPECT_EQ(status_of("GET /" + std::string(8000, 'a') + " HTTP/1.1\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: " + std::string(40000, 'a')), 431);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 101; ++i) many += "X: y\r\n";
  EXPECT_EQ(status_of(many + "\r\n"), 431);
  const std::string post = "POST / HTTP/1.1\r\nContent-Length: ";
  EXPECT_EQ(status_of(post + "65537\r\n\r\n"), 413) << "told before the body comes";
  EXPECT_EQ(status_of(post + "99999999999999999999999\r\n\r\n"), 400);
  EXPECT_EQ(status_of(post + "18446744073709551615\r\n\r\n"), 413);
  EXPECT_EQ(status_of(post + "4\r\n\r\nabc"), 0) << "the body is awaited";
}

}  // namespace
}  // namespace aisp::server
