// SPDX-License-Identifier: Apache-2.0
/// \file
/// Requests to the whole of `aisp serve` without a socket, over a store made by hand.
///
///   Asking asking;
///   asking.keep("r1", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
///   EXPECT_EQ(asking.json("/api/v1/runs")["runs"].size(), 1u);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/server/service.h"
#include "aisp/wire/json.h"
#include "tests/store/figures_fixture.h"

namespace aisp::server::test {

inline constexpr const char* kToken = "a-token-of-the-tests";

inline constexpr Embedded kFiles[] = {{"index.html", "<!doctype html>dashboard", "packed page"},
                                      {"assets/app-1a2b.js", "export{}", "packed script"},
                                      {"favicon.svg", "<svg/>"}};

class Asking {
 public:
  explicit Asking(JobControl* jobs = nullptr) {
    std::string pattern = ::testing::TempDir() + "serve-XXXXXX";
    directory_ = mkdtemp(pattern.data());
    cli::Arguments arguments;
    arguments.values["store"] = {store()};
    served_ = std::make_unique<cli::Served>(arguments);
    served_->catalogue = *cli::load_catalogue({});
    served_->jobs = jobs;
    service_ =
        std::make_unique<Service>(ServiceOptions{.token = kToken,
                                                 .routes = cli::all_routes(*served_),
                                                 .files = kFiles,
                                                 .version = [this] { return served_->store.version(); },
                                                 .program_version = "test"});
  }
  ~Asking() { std::filesystem::remove_all(directory_); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  std::string store() const { return directory_ + "/results.db"; }
  Service& service() { return *service_; }

  void keep(const std::string& run, const std::vector<CellResult>& cells,
            const std::string& hardware = "box") {
    auto opened = aisp::store::Store::open(store(), aisp::store::Access::read_write);
    ASSERT_TRUE(opened);
    aisp::store::test::finish_run(*opened, run, cells, hardware);
  }

  Response ask(const std::string& method, const std::string& target, Fields headers = {},
               const std::string& body = {}) {
    headers.emplace_back("host", "localhost:8100");
    return service_->answer(
        {.method = method, .target = target, .headers = std::move(headers), .body = body});
  }
  Response get(const std::string& target, Fields headers = {}) {
    return ask("GET", target, std::move(headers));
  }

  /// The document, which must be there.
  Json json(const std::string& target) {
    const Response response = get(target);
    EXPECT_EQ(response.status, 200) << target << "\n" << response.body;
    EXPECT_EQ(response.type, "application/json") << target;
    return Json::parse(response.body, nullptr, false);
  }
  /// The error, which must be whole.
  Json refused(const std::string& target, int status) { return refused(get(target), status); }
  static Json refused(const Response& response, int status) {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(response.type, "application/json");
    Json json = Json::parse(response.body, nullptr, false);
    EXPECT_TRUE(json.is_object() && json.contains("error") && json.contains("hint")) << response.body;
    return json;
  }

 private:
  std::string directory_;
  std::unique_ptr<cli::Served> served_;
  std::unique_ptr<Service> service_;
};

inline std::string header(const Response& response, const std::string& name) {
  for (const auto& [each, value] : response.headers)
    if (each == name) return value;
  return "";
}

}  // namespace aisp::server::test
