// SPDX-License-Identifier: Apache-2.0
// `aisp report` as a user types it, of one run and of several.
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/store/figures_fixture.h"

namespace aisp::testing {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Report : public ::testing::Test {
 protected:
  Report() {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    for (const auto& [id, hardware] : {std::pair{"run-a", "one box"}, std::pair{"run-b", "another box"}}) {
      const CellResult cell = store::test::cell_of("ch07/transpose", "n=64",
                                                   {{"naive", 200}, {std::string("tiled-of-") + id, 50}});
      RunRecord run;
      run.id = id;
      run.manifest.hardware = hardware;
      EXPECT_TRUE(store->run_started(run));
      EXPECT_TRUE(store->cell_finished(id, cell));
      EXPECT_TRUE(store->run_finished(id, "finished", "2026-11-15T12:00:00Z",
                                      {.exit_code = id == std::string("run-a") ? 0 : 9, .rejected = 0}));
    }
  }
  Sandbox box;
};

TEST_F(Report, EveryColumnOfAnExportIsExplained) {
  const std::string csv = box.run({"export", "run-a", "--format", "csv"}).out;
  const std::string help = box.run({"export", "--help"}).out;
  std::istringstream columns(csv.substr(0, csv.find('\r')));
  int known = 0;
  for (std::string column; std::getline(columns, column, ','); ++known)
    EXPECT_TRUE(std::regex_search(help, std::regex("\\b" + column + "\\b"))) << column << "\n" << help;
  EXPECT_EQ(known, 11) << csv;
}

TEST_F(Report, OfSeveralRunsIsOneFile) {
  const Finished written = box.run({"report", "run-a", "run-b"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  EXPECT_EQ(written.out, "aisp-run-a-and-1-more.html\n");
  const std::string html = content(box.directory / "aisp-run-a-and-1-more.html");
  for (const char* told : {"run-a", "run-b", "one box", "another box", "exit code 0", "exit code 9",
                           "tiled-of-run-a", "tiled-of-run-b", "id=\"cell-1\"", "Worst exit code: 9."})
    EXPECT_NE(html.find(told), std::string::npos) << told;
  const Finished markdown = box.run({"report", "run-a", "run-b", "--format", "markdown"});
  ASSERT_EQ(markdown.exit_code, 0) << markdown.err;
  EXPECT_NE(markdown.out.find("| `another box` |"), std::string::npos) << markdown.out;
  EXPECT_NE(markdown.out.find("exit code 9"), std::string::npos) << markdown.out;
}

TEST_F(Report, OfOneRunIsNamedAfterIt) {
  const Finished written = box.run({"report", "run-a"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  EXPECT_EQ(written.out, "aisp-run-a.html\n");
  EXPECT_EQ(box.run({"report"}).out, "aisp-run-b.html\n") << "the latest";
}

TEST_F(Report, RefusesWhatItCannotWriteTogether) {
  const auto says = [&](const std::vector<std::string>& words, int code, const std::string& text) {
    const Finished refused = box.run(words);
    EXPECT_EQ(refused.exit_code, code) << refused.out;
    EXPECT_NE(refused.err.find(text), std::string::npos) << refused.err;
  };
  says({"report", "run-b", "latest"}, 2, "run run-b is named twice");
  says({"report", "run-a", "run-b", "--format", "lessons"}, 2, "takes one run");
  says({"report", "run-a", "nobody"}, 3, "there is no run 'nobody'");
  EXPECT_TRUE(std::filesystem::is_empty(box.directory)) << "nothing half";
}

}  // namespace
}  // namespace aisp::testing
