// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "aisp/guards/judge.h"

namespace aisp::guards {
namespace {

bool holds(const std::optional<std::string>& text, std::string_view part) {
  return text && text->find(part) != std::string::npos;
}

TEST(Explain, ByNumberByGuardAndByWords) {
  EXPECT_TRUE(holds(explain("9"), "Stale cache"));
  EXPECT_TRUE(holds(explain("#9"), "answer_fresh"));
  EXPECT_TRUE(holds(explain("answer_fresh"), "#9 Stale cache"));
  EXPECT_TRUE(holds(explain("answer-fresh"), "#9 Stale cache"));
  EXPECT_TRUE(holds(explain("STALE cache"), "#9"));
  EXPECT_TRUE(holds(explain("picking"), "#80"));
}

TEST(Explain, AGuardSaysWhatItLooksAtItsRuleAndWhatToDo) {
  for (const Guard& guard : all()) {
    const std::string text = explain_guard(guard.id);
    for (const char* part : {"\nEvidence  ", "\nRule      ", "\nTo do     "})
      EXPECT_NE(text.find(part), std::string::npos)
          << guard.id << " lacks" << part << " in docs/handbook/guards.md";
  }
}

TEST(Explain, NothingForWhatDoesNotExistOrIsAmbiguous) {
  for (const char* asked :
       {"0", "96", "-1", "9x", "", " ", "no_such_guard", "mismatch", "99999999999999999999"}) {
    EXPECT_FALSE(explain(asked)) << asked;
  }
  EXPECT_GT(titles_matching("mismatch").size(), 5u);
  EXPECT_TRUE(titles_matching("").empty());
  EXPECT_TRUE(explain_issue(96).empty());
  EXPECT_TRUE(explain_guard("no_such_guard").empty());
}

TEST(Explain, EveryIssueAndGuardHasATextOfBoundedWidth) {
  std::vector<std::string> texts;
  for (const Issue& issue : catalogue()) texts.push_back(explain_issue(issue.number));
  for (const Guard& guard : all()) texts.push_back(explain_guard(guard.id));
  for (const std::string& text : texts) {
    ASSERT_FALSE(text.empty());
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) EXPECT_LE(line.size(), 110u) << line;
  }
}

TEST(Explain, SaysHonestlyWhatIsNotCovered) {
  EXPECT_TRUE(holds(explain("60"), "not yet"));
  EXPECT_TRUE(holds(explain("30"), "by construction"));
}

TEST(Explain, NamesHoldEverythingThatCanBeAskedFor) {
  const auto list = names();
  EXPECT_EQ(list.size(), all().size() + 95);
  for (const std::string& name : list) EXPECT_TRUE(explain(name)) << name;
  for (const std::string& name : list) EXPECT_NE(overview().find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace aisp::guards
