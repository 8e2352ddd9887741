// SPDX-License-Identifier: Apache-2.0
// Files, headers, tags, metrics: what every response has in common.
#include "aisp/server/service.h"
#include "aisp/server/kept_answers.h"

#include <atomic>
#include <thread>

#include <unistd.h>

#include "aisp/server/assets.h"
#include "aisp/server/event_text.h"
#include "aisp/server/response_text.h"
#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

using aisp::store::test::cell_of;

TEST(Service, ServesTheDashboardFromATable) {
  Asking asking;
  const Response page = asking.get("/");
  EXPECT_EQ(page.body, "<!doctype html>dashboard");
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  EXPECT_EQ(asking.get("/workloads/ch07/transpose").body, page.body) << "the dashboard's own paths";
  EXPECT_EQ(header(page, "Cache-Control"), "no-cache");
  const Response script = asking.get("/assets/app-1a2b.js", {{"accept-encoding", "br, gzip"}});
  EXPECT_EQ(script.body, "packed script");
  EXPECT_EQ(header(script, "Content-Encoding"), "gzip");
  EXPECT_EQ(header(script, "Vary"), "Accept-Encoding");
  EXPECT_EQ(header(script, "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(asking.get("/assets/app-1a2b.js").body, "export{}");
  EXPECT_EQ(asking.get("/favicon.svg", {{"accept-encoding", "gzip"}}).body, "<svg/>") << "has no packed form";
  asking.refused("/assets/gone.js", 404);
  asking.refused("/api/v2/runs", 404);
  asking.refused("/api", 404);
  for (const char* climb :
       {"/../../etc/passwd", "/%2e%2e%2f%2e%2e%2fetc/passwd", "/%00", "/a\\..\\b", "/..%5cetc"})
    asking.refused(climb, 400);
}

TEST(Service, SaysWhereThereIsNoDashboard) {
  Service service({.token = {}, .routes = {}, .files = {}, .program_version = {}});
  const Response page = service.answer({.method = "GET", .target = "/", .headers = {{"host", "localhost"}}});
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("was not built into this program"), std::string::npos);
}

TEST(Service, ReadsAcceptEncoding) {
  for (const char* yes : {"gzip", "br, gzip", "gzip;q=0.5", "*", "deflate , gzip ;q=1"})
    EXPECT_TRUE(accepts_gzip(yes));
  for (const char* no : {"", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"})
    EXPECT_FALSE(accepts_gzip(no)) << no;
}

TEST(Service, AnAnswerThatSeveralAskForIsMadeOnce) {
  std::atomic<int> made = 0;
  Route slow{.method = "GET", .path = "/api/v1/slow", .answer = [&](const Asked&) {
               usleep(100000);
               return Response{.body = std::to_string(++made)};
             }};
  slow.kept = true;
  Service service({.token = {}, .routes = {slow}, .files = {}, .program_version = {}});
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      const Request request{.method = "GET", .target = "/api/v1/slow", .headers = {{"host", "localhost"}}};
      EXPECT_EQ(service.answer(request).body, "1");
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(made, 1);
}

TEST(Service, AnAnswerThatMayChangeWithoutANewEventIsNotKept) {
  int made = 0;
  Route route{.method = "GET", .path = "/api/v1/running", .answer = [&](const Asked&) {
                return Response{.body = std::to_string(++made), .lasts = made > 1};
              }};
  route.kept = true;
  Service service({.token = {}, .routes = {route}, .files = {}, .program_version = {}});
  const Request request{.method = "GET", .target = "/api/v1/running", .headers = {{"host", "localhost"}}};
  for (const char* body : {"1", "2", "2"}) EXPECT_EQ(service.answer(request).body, body);
}

TEST(Service, EveryResponseIsGuarded) {
  Asking asking;
  for (const char* target :
       {"/", "/api/v1/summary", "/api/v1/nothing", "/metrics", "/..", "/api/v1/runs?limit=x"}) {
    const Response response = asking.get(target);
    EXPECT_NE(header(response, "Content-Security-Policy").find("default-src 'self'"), std::string::npos)
        << target;
    EXPECT_NE(header(response, "Content-Security-Policy").find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff") << target;
    EXPECT_EQ(header(response, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header(response, "Access-Control-Allow-Origin"), "") << "no other site may read";
    EXPECT_NE(header(response, "Cache-Control"), "") << target;
  }
}

TEST(Service, TagsSpareWhatIsKnown) {
  Asking asking;
  asking.keep("r1", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
  const Response first = asking.get("/api/v1/runs");
  const std::string tag = header(first, "ETag");
  ASSERT_FALSE(tag.empty());
  const Response again = asking.get("/api/v1/runs", {{"if-none-match", "\"other\", W/" + tag}});
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(header(again, "ETag"), tag);
  EXPECT_EQ(asking.get("/api/v1/runs", {{"if-none-match", "\"other\""}}).status, 200);
  asking.keep("r2", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 25}})});
  EXPECT_EQ(asking.get("/api/v1/runs", {{"if-none-match", tag}}).status, 200) << "the data changed";
  EXPECT_EQ(asking.get("/", {{"if-none-match", header(asking.get("/"), "ETag")}}).status, 304);
}

TEST(Service, HeadHasTheHeadersOfGet) {
  Asking asking;
  const Response get = asking.get("/api/v1/benchmarks"), head = asking.ask("HEAD", "/api/v1/benchmarks");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(header(head, "ETag"), header(get, "ETag"));
  const std::string text = response_text(head, {.method = "HEAD", .target = "/", .headers = {}}, true);
  EXPECT_NE(text.find("Content-Length: " + std::to_string(get.body.size())), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\n\r\n"));
}

TEST(Service, WhatWorkloadsCallThemselvesStaysText) {
  Asking asking;
  const std::string name = "x/<script>alert(1)</script>\xff\"\r\nSet-Cookie: a=b";
  asking.keep("r1", {cell_of(name, "n=1", {{"<img src=x onerror=alert(1)>", 200}, {"b", 50}})});
  for (const char* target : {"/api/v1/summary", "/api/v1/runs/latest", "/api/v1/analysis/leaderboards"}) {
    const Response response = asking.get(target);
    EXPECT_EQ(response.type, "application/json");
    EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_FALSE(Json::parse(response.body, nullptr, false).is_discarded()) << target;
    EXPECT_EQ(response.body.find("\r\n"), std::string::npos) << "control characters are escaped";
  }
  const Response refused = asking.get("/api/v1/runs/%3Cscript%3E");
  EXPECT_EQ(refused.type, "application/json") << "an error quotes what was asked for, as data";
  const std::string text = response_text({.headers = {{"Location", "/a\r\nSet-Cookie: b"}}}, {}, true);
  EXPECT_EQ(text.find("\r\nSet-Cookie"), std::string::npos);
}

TEST(Service, CountsForPrometheus) {
  Asking asking;
  asking.get("/api/v1/benchmarks");
  asking.get("/api/v1/runs/nobody");
  asking.get("/api/v1/runs/somebody");
  const Response metrics = asking.get("/metrics");
  EXPECT_EQ(metrics.type, "text/plain; version=0.0.4; charset=utf-8");
  for (const char* line : {"aisp_http_requests_total{route=\"/api/v1/benchmarks\",status=\"200\"} 1\n",
                           "aisp_http_requests_total{route=\"/api/v1/runs/{id}\",status=\"404\"} 2\n",
                           "aisp_http_request_seconds_bucket{route=\"/api/v1/runs/{id}\",le=\"+Inf\"} 2\n",
                           "aisp_http_request_seconds_count{route=\"/api/v1/benchmarks\"} 1\n"})
    EXPECT_NE(metrics.body.find(line), std::string::npos) << line << metrics.body;
}

TEST(Service, AFailingRouteEndsOneRequest) {
  Service service(
      {.token = {},
       .routes = {{.method = "GET",
                   .path = "/api/v1/fails",
                   .summary = "throws",
                   .answer = [](const Asked&) -> Response { throw std::runtime_error("broken"); }}},
       .files = {},
       .program_version = {}});
  const Response response =
      service.answer({.method = "GET", .target = "/api/v1/fails", .headers = {{"host", "localhost"}}});
  EXPECT_EQ(response.status, 500);
  EXPECT_NE(response.body.find("broken"), std::string::npos);
}

TEST(Service, EventsStayOnTheirLines) {
  EXPECT_EQ(event_text({.id = 7, .kind = "cell_finished", .data = "{}\n\ndata: x"}),
            "id: 7\nevent: cell_finished\ndata: {}  data: x\n\n");
  EXPECT_EQ(event_text({.kind = "job", .data = "{}"}), "event: job\ndata: {}\n\n");
}

TEST(KeptAnswers, LargeOnesOnlyWhereTheyTookLong) {
  KeptAnswers answers;
  const auto of_size = [](std::size_t bytes) {
    return std::make_shared<const Response>(Response{.body = std::string(bytes, 'x')});
  };
  using std::chrono::milliseconds;
  answers.keep("small", "1", of_size(1000), milliseconds(0));
  answers.keep("large", "1", of_size(600'000), milliseconds(30));
  answers.keep("large and slow", "1", of_size(600'000), milliseconds(50));
  EXPECT_NE(answers.find("small", "1"), nullptr);
  EXPECT_EQ(answers.find("large", "1"), nullptr);
  EXPECT_NE(answers.find("large and slow", "1"), nullptr);
}

}  // namespace
}  // namespace aisp::server::test
