// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/new_templates.h"

#include <utility>

namespace aisp::cli {
namespace {

// The example problem is small on purpose and has a gain to show: reading a matrix along its rows.
constexpr const char* kWorkload = R"(// @TITLE@
//
// The idea:          one sentence: what the optimized variant does differently.
// What bounds it:    every float of x is read once: 4 n^2 bytes; n^2 additions are cheap beside them.
// What to look for:  cache misses: the baseline touches a new line of x with every element.
#include @INCLUDE@

#include <cmath>

namespace {

using namespace aisp;

// ---- The problem: y[j] is the sum of column j of x ----------------------------------------------------
// The harness owns x and y: it draws x afresh in every round, poisons y, and checks every answer.
enum { kX };  // inputs, in the order of the tensors below
enum { kY };  // outputs

Problem problem(const Params& p) {
  const auto n = p["n"];
  // Two families at least: a well-behaved one, and one that shows what an imprecise variant would hide.
  return {.tensors = {input<float>("x", {n, n}, {uniform(-1, 1), cancelling(1e3)}),
                      output<float>("y", {n}, reduction(DType::f32, DType::f32, static_cast<double>(n)))},
          .work = {.bytes = 4.0 * static_cast<double>(n * n + n), .flops = static_cast<double>(n * n)}};
}

// ---- Reference: wide, and obviously right -------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto n = call.params["n"];
  const auto x = call.input<float>(kX);
  WideTensor& y = call.outputs[kY];
  y.scale.assign(y.value.size(), 0);  // the magnitude of what was summed: the tolerance is relative to it
  for (std::int64_t j = 0; j < n; ++j) {
    const auto column = static_cast<std::size_t>(j);
    y.value[column] = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      y.value[column] += x[i * n + j];
      y.scale[column] += std::fabs(x[i * n + j]);
    }
  }
}

// ---- Baseline: what a competent person writes first ---------------------------------------------------
void by_columns(const Call& call) {
  const auto n = call.params()["n"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t j = 0; j < n; ++j) {
    float sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i * n + j];
    y[j] = sum;
  }
}

// ---- The idea -----------------------------------------------------------------------------------------
// Walk x in the order in which it lies in memory and keep one sum for each column. Every line that is fetched
// is used up at once, and the inner loop becomes a vector addition. It stops paying when n is so small that
// all of x is in the first-level cache anyway.

// ---- Optimized: the smallest change that carries the idea ---------------------------------------------
void by_rows(const Call& call) {
  const auto n = call.params()["n"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t j = 0; j < n; ++j) y[j] = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) y[j] += x[i * n + j];
  }
}

const Registration registered{{
    .id = "@ID@",
    .title = "@NAME@",
    .idea = "Read memory in the order in which it lies.",
    .bound = Bound::memory,
    .tags = {"cache lines"},
    .axes = {{.name = "n", .values = {512, 1024}, .quick = {512}, .small = 37}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "by_columns", .run = by_columns, .note = "down each column"},
                 {.name = "by_rows", .run = by_rows, .note = "along each row"}},
}};

}  // namespace
)";

constexpr const char* kProject =
    R"(# cmake -S . -B build -DCMAKE_PREFIX_PATH=/where/aisp/is/installed && cmake --build build
cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)

find_package(aisp REQUIRED)

# For `aisp run --plugin build/@NAME@_plugin.so @ID@`.
aisp_add_workload(@NAME@_plugin @NAME@.cpp)
# A benchmark program of its own: `build/@NAME@_benchmark run @ID@`.
aisp_add_benchmark(@NAME@_benchmark @NAME@.cpp)
)";

std::string filled(std::string text, const NewWorkload& workload) {
  const std::pair<std::string, const std::string&> names[] = {{"@TITLE@", workload.title},
                                                              {"@NAME@", workload.name},
                                                              {"@ID@", workload.id},
                                                              {"@INCLUDE@", workload.include}};
  for (const auto& [mark, value] : names) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

}  // namespace

std::string workload_text(const NewWorkload& workload) { return filled(kWorkload, workload); }
std::string project_text(const NewWorkload& workload) { return filled(kProject, workload); }

}  // namespace aisp::cli
