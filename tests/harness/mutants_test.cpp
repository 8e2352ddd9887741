// SPDX-License-Identifier: Apache-2.0
// The checker's own test: every mutant of a right answer must be rejected, and a checker that is too weak
// must be reported as such.
#include "aisp/harness/mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "aisp/harness/verify.h"
#include "example.h"

namespace aisp::harness {
namespace {

Verification verified(const Workload& workload) {
  const Result<Verification> result = verify(workload, cell_of(workload), [](const std::string&) {});
  if (!result) throw std::runtime_error(result.error().message);
  return *result;
}

/// Accepts what one statistic of the answer accepts.
class WeakChecker : public AnswerChecker {
 public:
  WeakChecker(double wanted, std::function<double(const TensorView&)> statistic, double allowed)
      : wanted_(wanted), statistic_(std::move(statistic)), allowed_(allowed) {}
  CheckOutcome check(std::span<const TensorView> outputs) const override {
    const double error = std::fabs(statistic_(outputs[0]) - wanted_);
    if (error <= allowed_) return {};
    return {.wrong = 1, .worst = error / allowed_, .first = "the statistic is off"};
  }
  double miss_probability() const override { return 0.5; }

 private:
  double wanted_;
  std::function<double(const TensorView&)> statistic_;
  double allowed_;
};

Workload with_weak_checker(const std::function<double(const TensorView&)>& statistic, double factor,
                           double allowed) {
  Workload workload = example("test/weak", {{"honest", honest}});
  workload.reference_is_slow = [](const Params&) { return true; };
  workload.check = [=](const CheckSetup& setup) {
    return std::make_unique<WeakChecker>(factor * statistic(setup.inputs[0]), statistic, allowed);
  };
  return workload;
}

double sum_of(const TensorView& tensor) {
  double sum = 0;
  for (std::int64_t i = 0; i < tensor.size; ++i) sum += tensor.value(i);
  return sum;
}

TEST(Mutants, TheListHasEveryKindThatIsPromised) {
  std::set<std::string> names;
  for (const Mutant& mutant : mutants()) EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
  for (const char* name :
       {"zeros", "constant", "copied input", "mean", "shuffled", "stale", "off-by-one tile", "truncated tail",
        "lower precision", "sign flip", "one NaN", "one element off", "one tile off"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Mutants, EveryOneIsAppliedToAndRejectedForAnHonestProblem) {
  const Verification result = verified(example("test/double", {{"honest", honest}}));
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.mutants.size(), 2 * mutants().size()) << "once for each family";
  for (const MutantCheck& check : result.mutants) {
    EXPECT_EQ(check.skipped, "") << check.mutant;
    EXPECT_TRUE(check.rejected) << check.mutant;
  }
}

TEST(Mutants, ACheckerThatAcceptsOneIsReported) {
  // A sum does not notice an order; a loose one notices nothing.
  const Verification sums = verified(with_weak_checker(sum_of, 2, 1e-3));
  EXPECT_FALSE(sums.passed());
  std::map<std::string, bool> accepted;
  for (const MutantCheck& check : sums.mutants) {
    if (!check.rejected && check.skipped.empty()) accepted[check.mutant] = true;
  }
  EXPECT_TRUE(accepted["shuffled"]);
  EXPECT_FALSE(accepted["one NaN"]) << "compared as !(error <= allowed)";
  const Verification loose = verified(with_weak_checker([](const TensorView&) { return 0.0; }, 1, 1));
  EXPECT_FALSE(loose.passed());
  for (const MutantCheck& check : loose.mutants) EXPECT_FALSE(check.rejected) << check.mutant;
}

TEST(Mutants, AVariantThatIsWrongInOneFamilyOnlyIsFound) {
  const Verification result =
      verified(example("test/narrow", {{"honest", honest}, {"narrow", CallFunction([](const Call& call) {
                                                              const auto x = call.input<float>(0);
                                                              const auto y = call.output<float>(0);
                                                              for (std::int64_t i = 0; i < x.size; ++i)
                                                                y[i] = 2 * std::clamp(x[i], -1.0F, 1.0F);
                                                            })}}));
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.variants[0].problem, "");
  EXPECT_NE(result.variants[1].problem.find("2 of 4 answers wrong"), std::string::npos)
      << result.variants[1].problem;
}

TEST(Mutants, VariantsOfOneRoundCannotHarmOrHelpEachOther) {
  const CallFunction nothing = [](const Call&) {};
  const CallFunction meddling = [](const Call& call) {
    const auto x = call.input<float>(0);
    for (float& value : std::span(const_cast<float*>(x.data), static_cast<std::size_t>(x.size))) value = 1;
    honest(call);
  };
  const Verification result = verified(
      example("test/one_round",
              {{"honest", honest}, {"nothing", nothing}, {"meddling", meddling}, {"after", honest}}));
  EXPECT_EQ(result.variants[0].problem, "");
  EXPECT_NE(result.variants[1].problem.find("4 of 4 answers wrong"), std::string::npos)
      << "it must not be given the answer of the one before: " << result.variants[1].problem;
  EXPECT_NE(result.variants[2].problem, "");
  EXPECT_EQ(result.variants[3].problem, "") << "inputs are drawn again";
}

TEST(Mutants, TheRightAnswerIsFoundOncePerRoundForAllVariants) {
  Workload workload = example("test/reference", {{"one", honest}, {"two", honest}, {"three", honest}});
  const auto calls = std::make_shared<int>(0);
  workload.reference = [calls, reference = workload.reference](const ReferenceCall& call) {
    ++*calls;
    reference(call);
  };
  const Verification result = verified(workload);
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(*calls, result.rounds);
}

TEST(Mutants, AWorkloadOfWhichNothingRunsHereIsNeitherRightNorWrong) {
  Workload workload = example("test/elsewhere", {{"honest", honest}, {"too", honest}});
  workload.variants.back().unavailable = [](const Params&) { return "needs another machine"; };
  EXPECT_TRUE(verified(workload).passed());
  EXPECT_FALSE(verified(workload).skipped()) << "one of two runs";
  workload.variants.front().unavailable = workload.variants.back().unavailable;
  EXPECT_TRUE(verified(workload).skipped());
  EXPECT_FALSE(verified(workload).passed());
}

TEST(Mutants, IntegersArePushedByAtLeastOne) {
  Workload workload = example("test/integers", {});
  workload.problem = [](const Params& p) {
    return Problem{
        .tensors = {input<std::int32_t>("x", {p["n"]}, {integers(-100, 100), integers(0, 1 << 20)}),
                    output<std::int32_t>("y", {p["n"]}, exact())}};
  };
  workload.reference = [](const ReferenceCall& call) {
    const auto x = call.input<std::int32_t>(0);
    for (std::int64_t i = 0; i < x.size; ++i) call.outputs[0].value[static_cast<std::size_t>(i)] = 3.0 * x[i];
  };
  workload.variants.push_back({.name = "three times", .run = CallFunction([](const Call& call) {
                                                        const auto x = call.input<std::int32_t>(0);
                                                        const auto y = call.output<std::int32_t>(0);
                                                        for (std::int64_t i = 0; i < x.size; ++i)
                                                          y[i] = 3 * x[i];
                                                      })});
  const Verification result = verified(workload);
  EXPECT_TRUE(result.passed());
  const auto rejected = [&](const char* name) {
    return std::ranges::any_of(result.mutants,
                               [&](const MutantCheck& m) { return m.mutant == name && m.rejected; });
  };
  EXPECT_TRUE(rejected("one element off"));
  EXPECT_TRUE(rejected("sign flip"));
}

}  // namespace
}  // namespace aisp::harness
