// SPDX-License-Identifier: Apache-2.0
// Row sums                                                       an example outside the aisp tree
//
// The idea:          independent sums hide the latency of addition.
// What bounds it:    every float is read once: 4 rows columns bytes, from a cache at these sizes; the
// baseline
//                    waits four cycles for each addition instead.
// What to look for:  instructions per cycle: one addition every four cycles, then several in each.
#include <aisp/aisp.h>

#include <cmath>

namespace {

using namespace aisp;

// ---- The problem: y[i] is the sum of row i of x -------------------------------------------------------
enum { kX };  // inputs
enum { kY };  // outputs

Problem problem(const Params& p) {
  const auto rows = p["rows"], columns = p["columns"];
  return {.tensors = {input<float>("x", {rows, columns}, {uniform(-1, 1), cancelling(1e3)}),
                      output<float>("y", {rows},
                                    reduction(DType::f32, DType::f32, static_cast<double>(columns)))},
          .work = {.bytes = 4.0 * static_cast<double>(rows * columns + rows),
                   .flops = static_cast<double>(rows * columns)}};
}

// ---- Reference: one wide sum, and the magnitude of its terms ------------------------------------------
void reference(const ReferenceCall& call) {
  const auto rows = call.params["rows"], columns = call.params["columns"];
  const auto x = call.input<float>(kX);
  WideTensor& y = call.outputs[kY];
  y.scale.resize(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0, magnitude = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      sum += x[i * columns + j];
      magnitude += std::fabs(x[i * columns + j]);
    }
    y.value[static_cast<std::size_t>(i)] = sum;
    y.scale[static_cast<std::size_t>(i)] = magnitude;
  }
}

// ---- Baseline: one running sum, as everybody writes it -------------------------------------------------
void one_sum(const Call& call) {
  const auto columns = call.params()["columns"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t i = 0; i < y.size; ++i) {
    float sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) sum += x[i * columns + j];
    y[i] = sum;
  }
}

// ---- The idea ------------------------------------------------------------------------------------------
// Each addition needs the one before it, and the compiler may not reorder floating-point sums. Sixteen sums
// that know nothing of one another keep the adders busy, and the compiler may put them into vectors. It stops
// paying when the row no longer fits a cache and memory is what everybody waits for.

// ---- Optimized: sixteen running sums -------------------------------------------------------------------
void sixteen_sums(const Call& call) {
  constexpr std::int64_t kSums = 16;
  const auto columns = call.params()["columns"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t i = 0; i < y.size; ++i) {
    const float* row = x.data + i * columns;
    float sums[kSums] = {};
    std::int64_t j = 0;
    for (; j + kSums <= columns; j += kSums) {
      for (std::int64_t k = 0; k < kSums; ++k) sums[k] += row[j + k];
    }
    float sum = 0;
    for (; j < columns; ++j) sum += row[j];
    for (const float part : sums) sum += part;
    y[i] = sum;
  }
}

const Registration registered{{.id = "hello/row_sums",
                               .title = "Row sums",
                               .idea = "Independent sums hide the latency of addition.",
                               .bound = Bound::latency,
                               .axes = {{.name = "rows", .values = {64}, .small = 3},
                                        {.name = "columns", .values = {4096}, .small = 37}},
                               .problem = problem,
                               .reference = reference,
                               .variants = {{.name = "one_sum", .run = one_sum, .note = "one running sum"},
                                            {.name = "sixteen_sums",
                                             .run = sixteen_sums,
                                             .note = "sixteen sums that do not wait for one another"}}}};

}  // namespace
