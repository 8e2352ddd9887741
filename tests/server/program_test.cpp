// SPDX-License-Identifier: Apache-2.0
// `aisp serve` as a user runs it: begins, watches what others store, starts and ends runs, leaves nothing
// behind.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/server/client.h"
#include "tests/store/figures_fixture.h"

namespace aisp::testing {
namespace {

using server::test::Client;
using server::test::Received;
using Words = std::vector<std::string>;

constexpr const char* kToken = "a-token-of-the-tests";

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Serve : public ::testing::Test {
 protected:
  /// Starts it and waits for its first line.
  Process begin(Words more = {}) {
    Words words{"serve", "--port", "0", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    Process serving = box.start(words);
    std::filesystem::path out;
    EXPECT_TRUE(eventually([&] {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(box.root()))
        if (entry.path().extension() == ".out" && content(entry.path()).find('\n') != std::string::npos &&
            content(entry.path()).find("aisp.serve") != std::string::npos)
          out = entry.path();
      return !out.empty();
    }));
    said = Json::parse(content(out), nullptr, false);
    const std::string url = said.value("url", "");
    port = std::atoi(url.substr(url.rfind(':') + 1).c_str());
    return serving;
  }
  Received ask(const std::string& method, const std::string& target, const std::string& body = "",
               const std::string& token = kToken) const {
    Client client(port);
    client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return client.receive();
  }
  Json job() const { return Json::parse(ask("GET", "/api/v1/runs/current").body, nullptr, false)["job"]; }

  Sandbox box;
  Json said;
  int port = 0;
};

/// Whether this machine has an IPv6 loopback at all.
bool has_ipv6() {
  std::ifstream addresses("/proc/net/if_inet6");
  for (std::string line; std::getline(addresses, line);)
    if (line.starts_with("00000000000000000000000000000001 ")) return true;
  return false;
}

int status_of(int port, int family, const std::string& host) {
  Client client(port, family);
  if (!client.connected()) return -1;
  client.send("GET /api/v1/summary HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  return client.receive().status;
}

TEST_F(Serve, ListensOnTheIPv6LoopbackWhenAsked) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
  Process serving = begin({"--host", "::1"});
  EXPECT_EQ(said.value("url", ""), "http://[::1]:" + std::to_string(port) + "/");
  EXPECT_EQ(status_of(port, AF_INET6, "[::1]:" + std::to_string(port)), 200);
  EXPECT_EQ(status_of(port, AF_INET6, "localhost"), 200);
  // A name that somebody made resolve to us, and other spellings of addresses.
  for (const char* host :
       {"evil.example", "[::2]", "[::1", "::1", "[::1].evil.example", "[::ffff:127.0.0.1]"})
    EXPECT_EQ(status_of(port, AF_INET6, host), 421) << host;
  EXPECT_EQ(status_of(port, AF_INET, "localhost"), -1) << "it was asked for ::1 alone";
}

TEST_F(Serve, LocalhostIsBothAddressesOnOnePort) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
  Process serving = begin({"--host", "localhost"});
  EXPECT_EQ(said.value("url", ""), "http://localhost:" + std::to_string(port) + "/");
  for (const int family : {AF_INET, AF_INET6}) {
    EXPECT_EQ(status_of(port, family, "localhost:" + std::to_string(port)), 200) << family;
    EXPECT_EQ(status_of(port, family, "evil.example"), 421) << family;
  }
  // Neither address is had twice.
  for (const char* host : {"127.0.0.1", "::1", "localhost"}) {
    const Finished second = box.run({"serve", "--host", host, "--port", std::to_string(port)});
    EXPECT_EQ(second.exit_code, 4) << host << second.out;
    EXPECT_NE(second.err.find("another program has it"), std::string::npos) << second.err;
  }
  serving.send(SIGTERM);
  EXPECT_EQ(serving.wait().exit_code, 143);
}

TEST_F(Serve, ListensOnNoAddressThatOthersReach) {
  for (const char* host : {"0.0.0.0", "::", "192.168.0.1"}) {
    const Finished refused = box.run({"serve", "--host", host, "--port", "0"});
    EXPECT_EQ(refused.exit_code, 2) << host;
    EXPECT_NE(refused.err.find("127.0.0.1, ::1, localhost"), std::string::npos) << refused.err;
  }
  Process serving = begin();
  EXPECT_EQ(status_of(port, AF_INET, "127.0.0.1"), 200);
  EXPECT_EQ(status_of(port, AF_INET6, "[::1]"), -1) << "only when asked";
}

TEST_F(Serve, AStoreThatWasNamedMustBeThere) {
  const std::string missing = (box.root() / "mistyped.db").string();
  const Finished refused = box.run({"serve", "--port", "0", "--store", missing});
  EXPECT_EQ(refused.exit_code, 6) << refused.out;
  EXPECT_NE(refused.err.find("there is no store at " + missing), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("`aisp run ch07 --store " + missing + "`"), std::string::npos) << refused.err;
  EXPECT_EQ(box.run({"show", "--store", missing}).exit_code, refused.exit_code) << "as elsewhere";
  EXPECT_FALSE(std::filesystem::exists(missing));
  // The usual place may still be empty: it is said, and what is measured later shows.
  Process serving = begin();
  EXPECT_EQ(ask("GET", "/api/v1/summary").status, 200);
  serving.send(SIGTERM);
  const Finished ended = serving.wait(std::chrono::seconds(30));
  EXPECT_NE(ended.err.find("there is no store at " + box.store().string() + " yet"), std::string::npos)
      << ended.err;
}

TEST_F(Serve, BeginsAnswersAndEndsWithinASecond) {
  Process serving = begin();
  EXPECT_GT(port, 0);
  EXPECT_EQ(said["runs_allowed"], false);
  EXPECT_TRUE(said["token_file"].is_null());
  EXPECT_EQ(ask("GET", "/api/v1/benchmarks").status, 200);
  EXPECT_EQ(ask("GET", "/").status, 200);
  EXPECT_EQ(ask("POST", "/api/v1/runs", "{}").status, 403);
  const Finished taken = box.run({"serve", "--port", std::to_string(port)});
  EXPECT_EQ(taken.exit_code, 4);
  EXPECT_NE(taken.err.find("another program has it"), std::string::npos) << taken.err;
  Client idle(port), events(port);
  events.get("/api/v1/events");
  EXPECT_NE(events.until("\n\n"), "");
  serving.send(SIGTERM);
  EXPECT_EQ(serving.wait(std::chrono::seconds(30)).exit_code, 128 + SIGTERM);
  EXPECT_TRUE(box.alone());
}

TEST_F(Serve, ShowsWhatAnotherProcessStores) {
  Process serving = begin();
  Client events(port);
  events.get("/api/v1/events?after=0");
  EXPECT_NE(events.until("hello"), "");
  {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    store::test::finish_run(*store, "r1",
                            {store::test::cell_of("ch07/transpose", "n=64", {{"a", 2}, {"b", 1}})});
  }
  EXPECT_NE(events.until("event: run_finished"), "");
  const Json runs = Json::parse(ask("GET", "/api/v1/runs").body, nullptr, false);
  EXPECT_EQ(runs["runs"].size(), 1u);
  EXPECT_NE(ask("GET", "/metrics").body.find("aisp_store_runs 1\n"), std::string::npos);
}

TEST_F(Serve, TheTokenIsInAFileOfTheUsersOwn) {
  Process serving = begin({"--allow-runs"});
  const std::filesystem::path file = said["token_file"].get<std::string>();
  const auto mode = std::filesystem::status(file).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::string token = content(file);
  token.pop_back();
  EXPECT_EQ(token.size(), 64u);
  EXPECT_EQ(ask("DELETE", "/api/v1/runs/current", "", token).status, 409) << "nothing runs";
  EXPECT_EQ(ask("DELETE", "/api/v1/runs/current", "", std::string(64, '0')).status, 401);
  serving.send(SIGINT);
  EXPECT_EQ(serving.wait(std::chrono::seconds(30)).exit_code, 128 + SIGINT);
  EXPECT_FALSE(std::filesystem::exists(file));
  const Finished weak = box.run({"serve", "--allow-runs", "--token", "short"});
  EXPECT_EQ(weak.exit_code, 2);
}

TEST_F(Serve, StartsOneRunAtATimeAndEndsIt) {
  box.give_ceilings();
  box.environment["AISP_TOKEN"] = kToken;
  Process serving = begin({"--allow-runs"});
  EXPECT_EQ(said["token_file"], nullptr);
  for (const char* bad :
       {"", "[]", "{\"targets\": 1}", "{\"targets\": []}", "{\"targets\": [\"nothing/here\"]}",
        "{\"targets\": [\"--plugin=/tmp/x.so\"]}", "{\"targets\": [\"ch07\"], \"plugin\": [\"x.so\"]}",
        "{\"targets\": [\"ch07\"], \"report\": \"/tmp/x\"}", "{\"targets\": [\"ch07\"], \"attempts\": 0}",
        "{\"targets\": [\"ch07\"], \"suite\": \"$(reboot)\"}",
        "{\"targets\": [\"ch07\"], \"device\": \"cuda:9\"}"}) {
    const Received refused = ask("POST", "/api/v1/runs", bad);
    EXPECT_GE(refused.status, 400) << bad;
    EXPECT_NE(refused.body.find("\"error\""), std::string::npos) << bad;
  }
  EXPECT_TRUE(job().is_null());
  Client events(port);
  events.get("/api/v1/events");
  EXPECT_NE(events.until("hello"), "");
  const std::string body =
      "{\"targets\": [\"ch07/transpose\"], \"suite\": \"small\", \"cell-seconds\": 60, \"max-rounds\": "
      "20000, "
      "\"precision\": 0.00001}";
  EXPECT_EQ(ask("POST", "/api/v1/runs", body, "wrong-token-wrong-token").status, 401);
  ASSERT_EQ(ask("POST", "/api/v1/runs", body).status, 202);
  EXPECT_EQ(ask("POST", "/api/v1/runs", body).status, 409) << "one at a time";
  EXPECT_NE(events.until("event: job"), "");
  EXPECT_NE(events.until("event: cell_started"), "") << "by the child, through the store";
  EXPECT_EQ(job()["state"], "running");
  EXPECT_EQ(ask("DELETE", "/api/v1/runs/current").status, 202);
  EXPECT_TRUE(eventually([&] { return job()["state"] == "finished"; }));
  EXPECT_EQ(job()["exit_code"], 128 + SIGTERM);
  EXPECT_NE(events.until("event: run_finished"), "");
  // The next one ends with the server.
  ASSERT_EQ(ask("POST", "/api/v1/runs", body).status, 202);
  EXPECT_NE(events.until("event: cell_started"), "");
  serving.send(SIGTERM);
  EXPECT_EQ(serving.wait(std::chrono::seconds(30)).exit_code, 128 + SIGTERM);
  EXPECT_TRUE(box.alone()) << "no orphans";
}

/// The document of the next `progress` whose `event` is named; null where none comes in time.
Json next_progress(Client& events, const std::string& named) {
  const std::string mark = "event: progress\ndata: ";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  // Comments that keep the connection open come meanwhile, so that time passes here.
  while (std::chrono::steady_clock::now() < deadline) {
    const std::string text = events.until("\n\n");
    if (text.empty()) break;
    if (const auto at = text.find(mark); at != std::string::npos) {
      Json json = Json::parse(text.substr(at + mark.size()), nullptr, false);
      if (json.value("event", "") == named) return json;
    }
  }
  return nullptr;
}

TEST_F(Serve, TellsHowARunConverges) {
  box.give_ceilings();
  box.environment["AISP_TOKEN"] = kToken;
  Process serving = begin({"--allow-runs"});
  Client events(port);
  events.get("/api/v1/events");
  EXPECT_NE(events.until("hello"), "");
  ASSERT_EQ(ask("POST", "/api/v1/runs",
                "{\"targets\": [\"ch07/transpose\"], \"param\": [\"n=64\"], \"cell-seconds\": 60, "
                "\"max-rounds\": 96, \"precision\": 0.00001}")
                .status,
            202);
  const Json run = next_progress(events, "run");
  ASSERT_TRUE(run.is_object());
  EXPECT_EQ(run["schema"], "aisp.progress");
  EXPECT_EQ(run["cells"], 1);
  const Json rounds = next_progress(events, "rounds");
  ASSERT_TRUE(rounds.is_object());
  EXPECT_EQ(rounds["workload"], "ch07/transpose");
  EXPECT_EQ(rounds["parameters"], "n=64");
  const Json look = next_progress(events, "look");
  ASSERT_TRUE(look.is_object());
  EXPECT_EQ(look["look"], 1);
  EXPECT_EQ(look["rounds"], 24);
  EXPECT_EQ(look["precision"], 0.00001);
  ASSERT_GE(look["variants"].size(), 2u);
  bool interval = false;
  for (const Json& variant : look["variants"])
    if (variant["ratio"].is_object())
      interval = interval || variant["ratio"]["low"].get<double>() < variant["ratio"]["high"].get<double>();
  EXPECT_TRUE(interval) << look.dump();
  // Who comes later is told what has been, before anything new.
  Client later(port);
  later.get("/api/v1/events");
  EXPECT_NE(later.until("hello"), "");
  const Json told_again = next_progress(later, "run");
  ASSERT_TRUE(told_again.is_object());
  EXPECT_EQ(told_again["run"], run["run"]);
  const Json finished = next_progress(events, "cell_finished");
  ASSERT_TRUE(finished.is_object());
  EXPECT_FALSE(finished["variants"].empty());
  EXPECT_FALSE(finished["variants"][0]["validity"].is_null());
  const Json over = next_progress(events, "run_finished");
  ASSERT_TRUE(over.is_object());
  EXPECT_TRUE(over["exit_code"].is_number());
  ASSERT_TRUE(eventually([&] { return job()["state"] == "finished"; }));
  const Json lines = job()["lines"];
  ASSERT_FALSE(lines.empty());
  for (const Json& line : lines) EXPECT_EQ(line.get<std::string>().find("aisp.progress"), std::string::npos);
  EXPECT_NE(lines.dump().find("is stored in"), std::string::npos)
      << "the table and where it is kept: " << lines;
  Client last(port);
  last.get("/api/v1/events");
  EXPECT_EQ(next_progress(last, "cell_finished"), finished);
}

TEST_F(Serve, AKilledServerTakesItsRunWithIt) {
  box.give_ceilings();
  box.environment["AISP_TOKEN"] = kToken;
  {
    Process serving = begin({"--allow-runs"});
    ASSERT_EQ(ask("POST", "/api/v1/runs",
                  "{\"targets\": [\"ch07/transpose\"], \"suite\": \"small\", \"cell-seconds\": 60}")
                  .status,
              202);
    ASSERT_TRUE(eventually([&] { return job()["state"] == "running"; }));
    serving.send(SIGKILL);
    serving.wait();
  }
  EXPECT_TRUE(box.alone());
}

}  // namespace
}  // namespace aisp::testing
