// SPDX-License-Identifier: Apache-2.0
// The program with its results on a PostgreSQL server: it measures, answers and serves as it does with a file
// that holds the same runs.
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/integration/aisp_process.h"
#include "tests/needed_package.h"
#include "tests/server/client.h"
#include "tests/store/figures_fixture.h"
#include "tests/store/fixture.h"
#include "tests/store/postgres_server.h"

namespace aisp::testing {
namespace {

namespace fs = std::filesystem;
using server::test::Client;
using store::test::PostgresServer;
using Words = std::vector<std::string>;

/// Twenty runs in the middle of which one variant gets slower.
void add_past(store::Store& store) {
  for (int i = 0; i < 20; ++i) {
    const double noise = 1 + 0.001 * (i * 7 % 5);
    const std::string number = std::to_string(10 + i);
    CellResult cell = store::test::cell_of(
        "ch07/transpose", "n=64", {{"steady", 500 * noise}, {"worse", (i < 10 ? 100 : 150) * noise}});
    cell.finished = "2026-11-16T10:" + number + ":00Z";
    store::test::finish_run(store, "20261116-1000" + number + "-aaaa", {cell});
  }
}

/// What an answer says of results, without where in its store each of them is.
std::string comparable(Json json) {
  const auto strip = [](Json& value, auto& self) -> void {
    if (value.is_object()) {
      for (const char* place : {"seq", "last_event", "store"}) value.erase(place);
    }
    if (value.is_structured())
      for (Json& each : value) self(each, self);
  };
  strip(json, strip);
  return json.dump();
}

/// `aisp serve` over a store, until this goes out of scope.
class Serving {
 public:
  Serving(Sandbox& box, const std::string& store)
      : process_(box.start({"serve", "--port", "0", "--json", "--store", store})) {
    EXPECT_TRUE(eventually([&] { return (port_ = announced_port(box)) != 0; })) << store;
  }
  std::string get(const std::string& target) const {
    Client client(port_);
    client.get(target);
    const server::test::Received received = client.receive();
    EXPECT_EQ(received.status, 200) << target << received.body;
    return comparable(Json::parse(received.body, nullptr, false));
  }
  /// The first events, one after the other.
  std::string events(const std::string& last) const {
    Client client(port_);
    client.get("/api/v1/events?after=0");
    return client.until(last);
  }

 private:
  static int announced_port(const Sandbox& box) {
    for (const auto& entry : fs::directory_iterator(box.root())) {
      if (entry.path().extension() != ".out") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const Json said = Json::parse(text.str(), nullptr, false);
      if (!said.is_object() || said.value("schema", "") != "aisp.serve") continue;
      const std::string url = said.value("url", "");
      return std::atoi(url.substr(url.rfind(':') + 1).c_str());
    }
    return 0;
  }
  Process process_;
  int port_ = 0;
};

class SharedStore : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_PACKAGE(PostgresServer::missing());
    url_ = PostgresServer::shared()->new_store();
  }
  /// Measures into the server; the rest of its history is made up. Then a file has the same runs.
  void fill() {
    const Words words{"run",     "pace/fast",  "--plugin", plugin("pace"), "--cell-seconds",
                      "0.1",     "--attempts", "1",        "--max-rounds", "24",
                      "--store", url_,         "--json"};
    const Finished run = box_.run(words);
    ASSERT_EQ(run.json().value("schema", ""), "aisp.run") << run.err;
    EXPECT_FALSE(fs::exists(box_.store())) << "nothing went elsewhere";
    {
      store::Store store = store::test::open_store(url_);
      add_past(store);
    }
    const Finished merged = box_.run({"store", "merge", url_, "--store", file()});
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
  }
  std::string file() const { return (box_.root() / "copy.db").string(); }

  Sandbox box_;
  std::string url_;
};

TEST_F(SharedStore, CommandsAnswerAsFromAFile) {
  fill();
  for (const Words& asked : std::vector<Words>{{"show", "--runs"},
                                               {"show", "latest"},
                                               {"leaderboard"},
                                               {"leaderboard", "ch07", "--goal", "speed"},
                                               {"pareto"},
                                               {"tradeoffs"},
                                               {"recommendations"},
                                               {"whatif"},
                                               {"power"},
                                               {"cost"},
                                               {"scaling"},
                                               {"stacking"},
                                               {"history", "--hardware", "box"},
                                               {"history", "ch07", "--hardware", "box", "--variant", "worse"},
                                               {"history", "--all"}}) {
    Words words = asked;
    words.insert(words.end(), {"--json", "--store", url_});
    const Finished shared = box_.run(words);
    words.back() = file();
    const Finished own = box_.run(words);
    EXPECT_EQ(shared.exit_code, own.exit_code) << asked[0] << shared.err << own.err;
    ASSERT_TRUE(own.json().is_object()) << asked[0] << own.err;
    EXPECT_EQ(comparable(shared.json()), comparable(own.json())) << asked[0] << shared.err;
  }
  const Json history = box_.run({"history", "--hardware", "box", "--json", "--store", url_}).json();
  int changes = 0;
  for (const Json& series : history["series"]) changes += static_cast<int>(series["changes"].size());
  EXPECT_EQ(changes, 1) << history.dump(2);
  const Finished check = box_.run({"store", "check", "--store", url_});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
}

TEST_F(SharedStore, IsServedAsAFileIs) {
  fill();
  Sandbox other;
  const Serving shared(box_, url_), own(other, file());
  for (const char* target :
       {"/api/v1/summary", "/api/v1/runs?limit=5", "/api/v1/runs/latest", "/api/v1/runs/latest/cells/0",
        "/api/v1/workloads/ch07/transpose", "/api/v1/analysis/leaderboards", "/api/v1/analysis/pareto",
        "/api/v1/history?hardware=box", "/api/v1/history?hardware=box&changed=true&points=3"}) {
    const std::string answer = own.get(target);
    EXPECT_GT(answer.size(), 50u) << target;
    EXPECT_EQ(shared.get(target), answer) << target;
  }
  EXPECT_NE(shared.events("event: run_finished"), "");
  // What another process adds shows.
  const std::string before = shared.get("/api/v1/runs?limit=1");
  {
    store::Store store = store::test::open_store(url_);
    store::test::finish_run(store, "20261117-100000-bbbb",
                            {store::test::cell_of("ch07/transpose", "n=64", {{"steady", 400}})});
  }
  EXPECT_NE(shared.get("/api/v1/runs?limit=1"), before);
}

/// The words of every process of the sandbox, as anybody reads them.
std::string command_lines(const Sandbox& box) {
  std::string lines;
  for (const pid_t pid : box.survivors()) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
    for (std::string word; std::getline(file, word, '\0');) lines += word + " ";
    lines += "\n";
  }
  return lines;
}

TEST_F(SharedStore, TheTerminalInterfaceShowsItsPasswordToNobody) {
  const std::string secret = "opensesame", at = "aisp@";  // a password that the server does not ask for
  ASSERT_NE(url_.find(at), std::string::npos) << url_;
  box_.environment["AISP_STORE"] =
      std::string(url_).replace(url_.find(at), at.size(), "aisp:" + secret + "@");
  const Finished empty = box_.run({"tui", "--simple"});
  EXPECT_NE(empty.out.find("results in " + url_.substr(0, url_.find('?'))), std::string::npos) << empty.out;
  EXPECT_EQ((empty.out + empty.err).find(secret), std::string::npos) << empty.out << empty.err;

  // Measures pace/fast in the small size for a second, in one attempt.
  const std::string keys = box_.write("keys", "3\npace/fast\n1\n1\n1\n1\n1\n0\n0\n").string();
  box_.before_exec = [&keys] { dup2(open(keys.c_str(), O_RDONLY), 0); };
  Process menu = box_.start({"tui", "--simple", "--plugin", plugin("pace")});
  std::string seen;
  EXPECT_TRUE(eventually([&] {
    const std::string now = command_lines(box_);
    seen += now;
    return now.find("aisp run pace/fast") != std::string::npos && now.find(" worker ") != std::string::npos;
  })) << "the run and a worker of it: "
      << seen;
  const Finished ended = menu.wait();
  EXPECT_NE(ended.out.find("ended with exit code"), std::string::npos) << ended.out << ended.err;
  for (const std::string& said : {seen, ended.out, ended.err})
    EXPECT_EQ(said.find(secret), std::string::npos) << said;
  box_.before_exec = [] {};
  const Json runs = box_.run({"show", "--runs", "--json", "--store", url_}).json();
  ASSERT_EQ(runs["runs"].size(), 1u) << "it went to the server: " << ended.out;
  EXPECT_FALSE(fs::exists(box_.store()));
}

}  // namespace
}  // namespace aisp::testing
