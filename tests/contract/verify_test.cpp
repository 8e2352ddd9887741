// SPDX-License-Identifier: Apache-2.0
// Every workload of the tree, verified: all variants right and all mutants rejected, at the small size and at
// sizes around the widths its kernels are built from. CTest runs this once for each vector level this CPU has
// (AISP_SIMD), so that what older processors run is executed too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "aisp/core/configuration.h"
#include "aisp/core/registry.h"
#include "aisp/core/simd_level.h"
#include "aisp/harness/scratch.h"
#include "aisp/harness/verify.h"

namespace aisp {
namespace {

using Values = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

/// Sizes beside the small one: below, at and above vectors, tiles, blocks and pages. Axes that are not named
/// keep their small value; those that are, are crossed.
const std::map<std::string, std::vector<Values>>& edges() {
  static const std::map<std::string, std::vector<Values>> kEdges{
      {"ch01/batched_small_gemm", {{{"size", {1, 15, 16, 31, 32, 33}}, {"batch", {1, 3}}}}},
      {"ch02/cache_blocking", {{{"vectors", {1, 63, 64, 513}}, {"queries", {1, 9}}, {"dim", {1, 16, 31}}}}},
      {"ch02/false_sharing", {{{"n", {1, 2, 1000}}, {"threads", {1, 2, 3}}}}},
      {"ch03/arena_allocator", {{{"slots", {1, 2, 3, 64}}, {"threads", {1, 2, 3}}}}},
      {"ch03/huge_pages", {{{"slots", {1, 63, 64, 40000}}, {"n", {1, 100}}}}},
      {"ch05/packed_records", {{{"records", {1, 2, 64}}, {"words", {1, 128}}}}},
      // 600001 takes the paths with non-temporal stores.
      {"ch06/grid_stride",
       {{{"n", {1, 7, 8, 9, 16, 63, 64, 65, 129}}, {"threads", {1, 3}}},
        {{"n", {600001}}, {"threads", {1, 3}}}}},
      {"ch06/roofline_intensity",
       {{{"n", {1, 7, 8, 15, 16, 17, 63, 64, 65, 128, 129}}, {"k", {1, 300}}, {"threads", {1, 3}}},
        {{"n", {600001}}, {"k", {3}}, {"threads", {1, 3}}}}},
      {"ch07/gather",
       {{{"rows", {1, 7, 8, 9}}, {"fields", {1, 15, 16, 17}}, {"entries", {1, 1000}}, {"threads", {1, 3}}},
        // Groups of two fields, the last one not full.
        {{"rows", {100}}, {"fields", {7}}, {"entries", {500000}}}}},
      {"ch07/reduction",
       {{{"rows", {1, 3}}, {"cols", {1, 7, 63, 64, 65, 16384, 65537}}, {"threads", {1, 3}}}}},
      // 1040 takes the path with non-temporal stores.
      {"ch07/transpose", {{{"n", {1, 2, 15, 16, 17, 33, 1040}}}}},
      {"ch08/compaction", {{{"rows", {1, 3}}, {"cols", {1, 7, 8, 9, 15, 16, 17, 33}}}}},
      {"ch08/histogram", {{{"n", {1, 7, 4097}}, {"hot", {0, 15, 16}}}}},
      {"ch08/ilp", {{{"channels", {1, 7, 8, 9, 16}}, {"steps", {1, 2, 9}}}}},
      {"ch08/loop_invariant_math", {{{"tokens", {1, 3}}, {"heads", {1, 4}}, {"pairs", {8, 9, 33}}}}},
      {"ch09/fused_norm_quant", {{{"rows", {1, 3}}, {"cols", {1, 7, 8, 31, 33, 64, 65}}}}},
      // From 384 on answers are checked by projections.
      {"ch09/sgemm",
       {{{"n", {1, 2, 5, 6, 63, 65}}, {"threads", {1, 3}}},
        {{"n", {383}}},
        {{"n", {384}}, {"threads", {1}}}}},
      {"ch09/softmax", {{{"rows", {1, 3}}, {"cols", {1, 15, 16, 31, 33, 4097}}}}},
      {"ch10/flash_attention",
       {{{"seq", {1, 47, 48, 49, 64, 65}}, {"causal", {0, 1}}, {"heads", {1}}}, {{"heads", {3}}}}},
      {"ch11/thread_pipeline", {{{"n", {1, 2, 1023, 1024, 1025, 8193}}, {"threads", {1, 2, 3}}}}},
      {"ch12/atomic_work_queue", {{{"n", {1, 2, 7, 8, 9, 33, 1000}}, {"threads", {1, 2, 3}}}}},
      {"ch13/activation_checkpoint",
       {{{"layers", {1, 2, 17}}, {"batch", {1, 8}}, {"width", {1}}},
        {{"layers", {1, 2, 4}}, {"batch", {8}}, {"width", {16}}},
        // Narrow and deep: errors outlive the values they come from.
        {{"layers", {36, 100}}, {"batch", {1, 9}}, {"width", {4, 16}}},
        {{"layers", {17}}, {"batch", {8}}, {"width", {64}}}}},
      {"ch16/continuous_batching", {{{"requests", {1, 9}}, {"dim", {1, 15, 16, 33}}, {"batch", {1, 4}}}}},
      {"ch16/int4_gemv",
       {{{"rows", {1, 7, 8, 9, 17}}, {"blocks", {1, 7, 8, 9, 33}}, {"threads", {1, 3}}},
        {{"rows", {16}}, {"blocks", {512}}, {"threads", {2}}}}},
      // Tiles of 32 keys, taken in twos and fours; queries in fours.
      {"ch18/flash_decode",
       {{{"context", {1, 2, 3, 31, 32, 33, 65}}, {"group", {1, 4, 5, 8}}, {"kv_heads", {1}}},
        {{"context", {64}}, {"kv_heads", {3}}, {"threads", {1, 4}}}}},
  };
  return kEdges;
}

Params small_size(const Workload& workload) {
  Params params;
  for (const Axis& axis : workload.axes)
    params.set(axis.name, axis.small != 0 ? axis.small : axis.values.front());
  return params;
}

std::vector<Params> crossed(const Params& base, const Values& values) {
  std::vector<Params> cells{base};
  for (const auto& [axis, sizes] : values) {
    std::vector<Params> more;
    for (const Params& cell : cells) {
      for (const std::int64_t size : sizes) more.emplace_back(cell).set(axis, size);
    }
    cells = std::move(more);
  }
  return cells;
}

class Verify : public testing::TestWithParam<std::string> {
 protected:
  const Workload& workload() const { return *Registry::instance().find(GetParam()); }

  /// Verifies one cell, complains about everything that is not right, and returns what was found.
  harness::Verification verified(const Params& params) {
    SCOPED_TRACE(GetParam() + " " + params.text());
    harness::CellSpec spec{.workload = GetParam(), .pin = false, .scratch = scratch_->text()};
    for (const auto& [name, value] : params.entries()) spec.params.emplace_back(name, value);
    const auto found = harness::verify(with_every_configuration(workload()), spec, [](const std::string&) {});
    if (!found) {
      ADD_FAILURE() << found.error().message;
      return {};
    }
    for (const auto& variant : found->variants)
      EXPECT_EQ(variant.problem, "") << variant.variant << ", worst error " << variant.worst_error;
    // A handful of elements may happen to be right in spite of a mutation: a number that rounding leaves as
    // it is, or gradients of a deep and narrow net that are smaller than their own rounding errors.
    constexpr std::int64_t kEnough = 64;
    const auto few = [](const TensorSpec& t) { return t.role == Role::output && t.size() < kEnough; };
    if (std::ranges::any_of(workload().problem(params).tensors, few)) return *found;
    for (const auto& mutant : found->mutants)
      EXPECT_TRUE(mutant.rejected || !mutant.skipped.empty()) << mutant.mutant << " of " << mutant.output;
    return *found;
  }

  Result<harness::Scratch> scratch_ = harness::Scratch::make();
};

/// A mutant that no family can apply proves nothing, so each such case must be a known one.
TEST_P(Verify, SmallSizeAndEveryMutantApplies) {
  ASSERT_TRUE(scratch_);
  const std::set<std::string> known{"not a floating-point output", "an unsigned output", "no input to copy",
                                    "the checker judges projections, not elements"};
  const harness::Verification found = verified(small_size(workload()));
  EXPECT_TRUE(found.passed());
  std::map<std::pair<std::string, std::string>, std::set<std::string>> skipped;
  std::set<std::pair<std::string, std::string>> rejected;
  for (const auto& mutant : found.mutants) {
    if (mutant.rejected) rejected.emplace(mutant.mutant, mutant.output);
    if (!mutant.skipped.empty()) skipped[{mutant.mutant, mutant.output}].insert(mutant.skipped);
  }
  for (const auto& [which, reasons] : skipped) {
    if (rejected.contains(which)) continue;
    for (const std::string& reason : reasons)
      EXPECT_TRUE(known.contains(reason)) << which.first << " of " << which.second << ": " << reason;
  }
}

TEST_P(Verify, EdgeSizes) {
  ASSERT_TRUE(scratch_);
  const auto found = edges().find(GetParam());
  ASSERT_NE(found, edges().end()) << "add its edge sizes to the table above";
  for (const Values& values : found->second)
    for (const Params& params : crossed(small_size(workload()), values)) verified(params);
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const Workload* workload : Registry::instance().workloads()) all.push_back(workload->id);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Workloads, Verify, testing::ValuesIn(ids()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name)
    if (c == '/') c = '_';
  return name;
});

TEST(VerifyLevel, IsWhatTheEnvironmentAsksFor) {
  const char* cap = std::getenv("AISP_SIMD");
  if (cap == nullptr) {
    EXPECT_EQ(simd_level(), cpu_simd_level());
  } else {
    EXPECT_LE(simd_level(), cpu_simd_level());
    EXPECT_TRUE(name_of(simd_level()) == cap || simd_level() == cpu_simd_level()) << cap;
  }
}

}  // namespace
}  // namespace aisp
