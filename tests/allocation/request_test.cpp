// SPDX-License-Identifier: Apache-2.0
// Memory that is refused while a request is read and answered: the whole answer, a refusal or the end of the
// connection; and whoever asks next is answered as if nothing had been.
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "aisp/cli/serve_routes.h"
#include "aisp/server/request_reader.h"
#include "aisp/server/response_text.h"
#include "aisp/server/service.h"
#include "tests/allocation/failing_memory.h"
#include "tests/store/figures_fixture.h"
#include "tests/store/fixture.h"

namespace aisp::allocation {
namespace {

using store::test::cell_of;

/// The server but for its sockets, over a store with two runs.
class Serving {
 public:
  explicit Serving(const std::string& store) {
    cli::Arguments arguments;
    arguments.values["store"] = {store};
    served_ = std::make_unique<cli::Served>(arguments);
    service_ = std::make_unique<server::Service>(
        server::ServiceOptions{.token = "a-token-of-the-tests",
                               .routes = cli::all_routes(*served_),
                               .files = {},
                               .version = [this] { return served_->store.version(); },
                               .program_version = "test"});
  }

  /// From bytes to bytes.
  std::string ask(const std::string& bytes) {
    server::RequestReader reader;
    reader.put(bytes);
    const auto read = reader.next();
    if (!read) return "";
    const auto* request = std::get_if<server::Request>(&*read);
    if (request == nullptr) return server::early_refusal_text(std::get<server::Response>(*read));
    return server::response_text(service_->answer(*request), *request, true);
  }

 private:
  std::unique_ptr<cli::Served> served_;
  std::unique_ptr<server::Service> service_;
};

std::string get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n";
}

int status_of(const std::string& response) {
  return response.starts_with("HTTP/1.1 ") ? std::atoi(response.c_str() + 9) : 0;
}

class RequestWithoutMemory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { prepare_sqlite(); }

  void SetUp() override {
    store::Store store = store::test::open_store(directory_.file());
    store::test::finish_run(store, "r1", {cell_of("ch07/transpose", "n=64", {{"a", 200}, {"b", 50}})});
    store::test::finish_run(store, "r2", {cell_of("ch07/transpose", "n=64", {{"a", 200}, {"b", 40}})});
  }

  /// A failure at every allocation, or every `stride`-th, between the bytes of a request and those of its
  /// answer.
  void expect_answered(const std::string& bytes, int status, long stride, Memory memory = Memory::cpp) const {
    std::string whole;
    {
      Serving serving(directory_.file());
      whole = serving.ask(bytes);
    }
    ASSERT_EQ(status_of(whole), status) << whole;
    const Sweep sweep = sweep_allocations(memory, stride, [&](long) {
      stop_failing();
      alarm(60);  // one that waits for what never comes is not answered either
      Serving serving(directory_.file());
      std::string said;
      bool ended = false;
      start_here();
      try {
        said = serving.ask(bytes);
      } catch (const std::bad_alloc&) {
        ended = true;  // as a connection does
      }
      stop_failing();
      if (serving.ask(bytes) != whole) return kWrong;
      if (!ended && said == whole) return kDone;
      return ended || status_of(said) >= 500 ? kRefused : kWrong;
    });
    EXPECT_EQ(sweep.wrong, "") << bytes;
    EXPECT_EQ(sweep.threw, 0) << bytes;
    // A document is a tree whose end needs memory; where that is refused, the library ends the process.
    if (status != 200) {
      EXPECT_EQ(sweep.aborted, 0) << bytes;
    }
    EXPECT_GT(sweep.refused, 3) << bytes;
  }

  store::test::TemporaryDirectory directory_;
};

TEST_F(RequestWithoutMemory, IsAnsweredOrRefusedAndHarmsNoOther) {
  expect_answered(get("/api/v1/runs?limit=2"), 200, 7);
  expect_answered(get("/api/v1/summary"), 200, 23);
  expect_answered(get("/api/v1/analysis/leaderboards?workload=ch07"), 200, 23);
  expect_answered(get("/api/v1/history?hardware=box"), 200, 23);
  expect_answered(get("/api/v1/runs/latest"), 200, 53);
}

TEST_F(RequestWithoutMemory, OfTheStoreIsAnsweredOrRefused) {
  expect_answered(get("/api/v1/summary"), 200, 37, Memory::sqlite);
  expect_answered(get("/api/v1/history?hardware=box"), 200, 37, Memory::sqlite);
}

TEST_F(RequestWithoutMemory, ThatIsRefusedIsRefusedAllTheSame) {
  expect_answered(get("/api/v1/runs?lmit=2"), 400, 1);
  expect_answered(get("/../etc/passwd"), 400, 1);
  expect_answered("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 400, 1);
  expect_answered("POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", 401, 1);
}

}  // namespace
}  // namespace aisp::allocation
