// SPDX-License-Identifier: Apache-2.0
// The documents name what the code has: a heading per guard, and the true counts of what is covered.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/judge.h"

namespace aisp::guards {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(std::string(AISP_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Handbook, OneSectionPerGuardAndNoOther) {
  std::set<std::string> headings;
  std::istringstream lines(contents("docs/handbook/guards.md"));
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("### ")) continue;
    EXPECT_TRUE(headings.insert(line.substr(4)).second) << line;
  }
  for (const Guard& guard : all()) {
    EXPECT_TRUE(headings.erase(std::string(guard.id))) << "no section for " << guard.id;
  }
  for (const std::string& left : headings)
    ADD_FAILURE() << "a section for a guard that does not exist: " << left;
}

TEST(Handbook, EverySectionAsksTheGuardsQuestion) {
  const std::string text = contents("docs/handbook/guards.md");
  for (const Guard& guard : all()) {
    const auto at = text.find("### " + std::string(guard.id) + "\n");
    ASSERT_NE(at, std::string::npos) << guard.id;
    const auto section = text.substr(at, text.find("\n###", at + 4) - at);
    EXPECT_NE(section.find(guard.question), std::string::npos) << guard.id;
  }
}

TEST(Coverage, TheTableCountsWhatTheCatalogueSays) {
  const std::string text = contents("docs/design/validity_coverage.md");
  std::map<std::string, std::map<Cover, int>> counts;
  for (const Issue& issue : catalogue()) {
    ++counts[std::string(issue.category)][issue.cover];
    ++counts["**total**"][issue.cover];
  }
  for (auto& [category, of] : counts) {
    std::ostringstream row;
    row << "| " << category << " | " << of[Cover::by_construction] << " | " << of[Cover::guard] << " | "
        << of[Cover::recorded] << " | " << of[Cover::not_yet] << " |";
    EXPECT_NE(text.find(row.str()), std::string::npos) << "missing: " << row.str();
  }
  for (const Issue& issue : catalogue()) {
    std::ostringstream row;
    row << "| " << issue.number << " | " << issue.title << " | " << name_of(issue.cover) << " |";
    EXPECT_NE(text.find(row.str()), std::string::npos) << "missing: " << row.str();
  }
}

}  // namespace
}  // namespace aisp::guards
