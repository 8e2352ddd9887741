// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/judge.h"

#include <gtest/gtest.h>

#include <set>

#include "good_evidence.h"

namespace aisp::guards {
namespace {

TEST(Judge, GoodEvidenceIsValidUnderEveryPolicy) {
  const auto findings = judge(good_evidence());
  ASSERT_EQ(findings.size(), all().size());
  for (const Finding& found : findings) {
    EXPECT_EQ(found.level, Level::pass) << found.guard << ": " << found.because;
    EXPECT_FALSE(found.because.empty()) << found.guard;
  }
  for (const Policy policy : {Policy::portable, Policy::standard, Policy::strict}) {
    EXPECT_EQ(validity_of(findings, policy), Validity::valid);
  }
}

TEST(Judge, EmptyEvidenceProvesNothing) {
  const auto findings = judge(Evidence{});
  for (const Policy policy : {Policy::portable, Policy::standard, Policy::strict}) {
    EXPECT_EQ(validity_of(findings, policy), Validity::unproven);
  }
  EXPECT_EQ(validity_of({}, Policy::portable), Validity::unproven) << "nobody looked";
}

TEST(Judge, IdsAreUniqueAndEveryGuardIsComplete) {
  std::set<std::string_view> ids;
  for (const Guard& guard : all()) {
    EXPECT_TRUE(ids.insert(guard.id).second) << guard.id << " is listed twice";
    EXPECT_TRUE(guard.question.ends_with('?')) << guard.id;
    EXPECT_NE(guard.judge, nullptr) << guard.id;
    EXPECT_EQ(find(guard.id), &guard);
  }
  EXPECT_EQ(find("no_such_guard"), nullptr);
}

TEST(Judge, EveryRejectionAndUnknownGivesAdvice) {
  Evidence evidence = good_evidence();
  evidence.answers = {.calls = 2,
                      .checked = 1,
                      .wrong = 1,
                      .not_finite = 1,
                      .unwritten = 1,
                      .stale = 1,
                      .constant = 1,
                      .out_of_bounds = 1,
                      .inputs_changed = 1,
                      .unanswered = 1};
  evidence.process = {};
  evidence.environment = {};
  for (const Finding& found : judge(evidence)) {
    EXPECT_TRUE(found.level == Level::pass || !found.hint.empty()) << found.guard;
  }
}

TEST(ValidityOf, InvalidBeatsUnprovenBeatsValid) {
  const Finding fine{.guard = "answer_right", .level = Level::pass};
  const Finding remark{.guard = "no_drift", .level = Level::note};
  const Finding missing{.guard = "answer_right", .level = Level::unknown};
  const Finding wrong{.guard = "answer_finite", .level = Level::reject};
  using Findings = std::vector<Finding>;
  EXPECT_EQ(validity_of(Findings{fine, remark}, Policy::strict), Validity::valid);
  EXPECT_EQ(validity_of(Findings{fine, missing}, Policy::portable), Validity::unproven);
  EXPECT_EQ(validity_of(Findings{missing, wrong}, Policy::portable), Validity::invalid);
  EXPECT_EQ(validity_of(Findings{wrong, missing}, Policy::portable), Validity::invalid);
}

TEST(ValidityOf, UnknownsCountFromTheGuardsPolicyOn) {
  for (const Guard& guard : all()) {
    const std::vector<Finding> missing{{.guard = std::string(guard.id), .level = Level::unknown}};
    for (const Policy policy : {Policy::portable, Policy::standard, Policy::strict}) {
      const bool required = policy >= guard.required_from;
      EXPECT_EQ(validity_of(missing, policy), required ? Validity::unproven : Validity::valid) << guard.id;
      EXPECT_EQ(tolerated_unknowns(missing, policy).size(), required ? 0u : 1u) << guard.id;
    }
  }
}

TEST(ValidityOf, AFindingOfAnUnknownGuardIsNotOverlooked) {
  const std::vector<Finding> newer{{.guard = "from_the_future", .level = Level::unknown}};
  EXPECT_EQ(validity_of(newer, Policy::portable), Validity::unproven);
}

TEST(Waivers, AcceptARejectionAndAreMarked) {
  Evidence evidence = good_evidence();
  evidence.process.swapped_pages = 3;
  auto findings = judge(evidence);
  const std::vector<std::string> waivers{"no_swap", "no_drift"};
  EXPECT_EQ(validity_of(findings, Policy::standard), Validity::invalid);
  EXPECT_EQ(validity_of(findings, Policy::standard, waivers), Validity::valid);
  mark_waived(findings, waivers);
  EXPECT_EQ(validity_of(findings, Policy::standard), Validity::valid)
      << "the mark is stored with the finding";
  for (const Finding& found : findings) EXPECT_EQ(found.waived, found.guard == "no_swap") << found.guard;
}

TEST(Waivers, DoNotReplaceAMissingFact) {
  Evidence evidence = good_evidence();
  evidence.process.swapped_pages.reset();
  auto findings = judge(evidence);
  const std::vector<std::string> waivers{"no_swap"};
  mark_waived(findings, waivers);
  EXPECT_EQ(validity_of(findings, Policy::standard, waivers), Validity::unproven);
  for (const Finding& found : findings) EXPECT_FALSE(found.waived);
}

TEST(Waivers, AMisspeltOneIsAnError) {
  EXPECT_TRUE(check_waivers(std::vector<std::string>{"no_swap"}));
  const Status status = check_waivers(std::vector<std::string>{"no_swap", "no_swop"});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::usage);
  EXPECT_NE(status.error().message.find("no_swop"), std::string::npos);
}

}  // namespace
}  // namespace aisp::guards
