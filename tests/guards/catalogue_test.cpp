// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "aisp/guards/judge.h"

namespace aisp::guards {
namespace {

bool names(const Issue& issue, std::string_view id) {
  return std::ranges::find(issue.guards, id) != issue.guards.end();
}
bool covers(const Guard& guard, int number) {
  return std::ranges::find(guard.issues, number) != guard.issues.end();
}

TEST(Catalogue, NinetyFiveInOrder) {
  int expected = 1;
  for (const Issue& issue : catalogue()) {
    EXPECT_EQ(issue.number, expected);
    EXPECT_EQ(find_issue(expected), &issue);
    ++expected;
  }
  EXPECT_EQ(expected, 96);
  EXPECT_EQ(find_issue(0), nullptr);
  EXPECT_EQ(find_issue(96), nullptr);
}

TEST(Catalogue, ElevenGroupsOfTheirSizes) {
  std::map<std::string_view, int> sizes;
  std::vector<std::string_view> order;
  for (const Issue& issue : catalogue()) {
    if (sizes[issue.category]++ == 0) order.push_back(issue.category);
  }
  std::vector<int> counts;
  for (const auto category : order) counts.push_back(sizes[category]);
  EXPECT_EQ(counts, (std::vector<int>{7, 10, 11, 7, 7, 10, 7, 8, 12, 8, 8}));
}

TEST(Catalogue, EveryEntrySaysSomethingOfItsOwn) {
  std::set<std::string_view> titles, meanings;
  for (const Issue& issue : catalogue()) {
    EXPECT_TRUE(titles.insert(issue.title).second) << issue.title;
    EXPECT_TRUE(meanings.insert(issue.meaning).second) << issue.title;
    for (const auto text : {issue.meaning, issue.incident, issue.defence}) {
      EXPECT_GE(text.size(), 30u) << issue.title << ": " << text;
      EXPECT_TRUE(text.ends_with('.')) << issue.title << ": " << text;
    }
  }
}

TEST(Catalogue, EveryGuardNamedExistsAndNamesTheIssueToo) {
  for (const Issue& issue : catalogue()) {
    for (const std::string_view id : issue.guards) {
      if (id.empty()) continue;
      const Guard* guard = find(id);
      ASSERT_NE(guard, nullptr) << "#" << issue.number << " names " << id;
      EXPECT_TRUE(covers(*guard, issue.number)) << id << " does not list #" << issue.number;
    }
  }
}

TEST(Catalogue, EveryIssueOfAGuardExistsAndNamesTheGuardToo) {
  for (const Guard& guard : all()) {
    EXPECT_NE(guard.issues[0], 0) << guard.id << " covers nothing";
    std::set<int> seen;
    for (const int number : guard.issues) {
      if (number == 0) continue;
      EXPECT_TRUE(seen.insert(number).second) << guard.id << " lists #" << number << " twice";
      const Issue* issue = find_issue(number);
      ASSERT_NE(issue, nullptr) << guard.id << " lists #" << number;
      EXPECT_TRUE(names(*issue, guard.id)) << "#" << number << " does not name " << guard.id;
    }
  }
}

TEST(Catalogue, CoverAndGuardsAgree) {
  for (const Issue& issue : catalogue()) {
    const bool has_guard = !issue.guards[0].empty();
    EXPECT_TRUE(issue.cover != Cover::guard || has_guard) << "#" << issue.number;
    EXPECT_TRUE(issue.cover != Cover::not_yet || !has_guard) << "#" << issue.number;
  }
}

}  // namespace
}  // namespace aisp::guards
