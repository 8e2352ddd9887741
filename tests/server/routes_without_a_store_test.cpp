// SPDX-License-Identifier: Apache-2.0
// Routes that need no results, and what the others say while there are none. No sockets here.
#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

using aisp::store::test::cell_of;

TEST(RoutesWithoutAStore, GuardsAndTheMachine) {
  Asking asking;
  const Json guards = asking.json("/api/v1/guards");
  EXPECT_EQ(guards["issues"].size(), 95u);
  EXPECT_GT(guards["guards"].size(), 20u);
  const Json one = asking.json("/api/v1/guards/output_written");
  EXPECT_EQ(one["guards"].size(), 1u);
  EXPECT_FALSE(one["text"].get<std::string>().empty());
  asking.refused("/api/v1/guards/outptu_written", 404);
  const Json machine = asking.json("/api/v1/machine");
  for (const char* member : {"hardware", "parts", "findings", "ceilings"})
    EXPECT_TRUE(machine.contains(member));
}

TEST(RoutesWithoutAStore, ChangesAreRefusedWithoutLeave) {
  Asking asking;
  const Fields token{{"authorization", std::string("Bearer ") + kToken}};
  Asking::refused(asking.ask("POST", "/api/v1/runs", {}, "{}"), 401);
  Asking::refused(asking.ask("POST", "/api/v1/runs", token, "{\"targets\": [\"ch07\"]}"), 403);
  Asking::refused(asking.ask("DELETE", "/api/v1/runs/current", token), 403);
  Asking::refused(asking.ask("POST", "/api/v1/summary", token), 405);
  Asking::refused(asking.ask("DELETE", "/api/v1/runs/latest", token), 405);
  Asking::refused(asking.ask("POST", "/", token), 404);
  const Json job = asking.json("/api/v1/runs/current");
  EXPECT_TRUE(job["job"].is_null());
  EXPECT_EQ(job["allowed"], false);
}

TEST(RoutesWithoutAStore, EventsBeginBehindOne) {
  Asking asking;
  const Response events = asking.get("/api/v1/events?after=3");
  EXPECT_TRUE(events.events);
  EXPECT_EQ(events.type, "text/event-stream");
  EXPECT_EQ(events.after, "3");
  EXPECT_EQ(asking.get("/api/v1/events", {{"last-event-id", "7"}}).after, "7");
  asking.refused("/api/v1/events?after=x", 400);
  asking.refused("/api/v1/events?after=-1", 400);
}

TEST(RoutesWithoutAStore, SayThatThereIsNothingYet) {
  Asking asking;
  EXPECT_EQ(asking.json("/api/v1/runs")["runs"].size(), 0u);
  EXPECT_EQ(asking.json("/api/v1/summary")["store"]["runs"], 0);
  EXPECT_EQ(asking.json("/api/v1/analysis/leaderboards")["cannot_tell"], true);
  EXPECT_EQ(asking.json("/api/v1/history")["series"].size(), 0u);
  asking.refused("/api/v1/runs/latest", 404);
  asking.refused("/api/v1/compare?first=a&second=b", 404);
  EXPECT_FALSE(std::filesystem::exists(asking.store())) << "asking makes no store";
  asking.keep("r1", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
  EXPECT_EQ(asking.json("/api/v1/runs")["runs"].size(), 1u) << "one that comes later is noticed";
}

}  // namespace
}  // namespace aisp::server::test
