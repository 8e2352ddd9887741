// SPDX-License-Identifier: Apache-2.0
// A variant that copies the answer which another variant of the same round has left behind, and computes only
// when it is the first to see the inputs. Its answers are always right.
#include <cstring>
#include <vector>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

float heavy(float x) {
  double sum = x;
  for (int i = 0; i < 200; ++i) sum = sum * 0.5 + 0.25 * static_cast<double>(x);
  return static_cast<float>(sum);
}

void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[0].value[static_cast<std::size_t>(i)] = static_cast<double>(heavy(x[i]));
}

std::vector<float> seen, answers;

void compute(const Call& call) {
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) y[i] = heavy(x[i]);
}

void lender(const Call& call) {
  compute(call);
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  seen.assign(x.begin(), x.end());
  answers.assign(y.begin(), y.end());
}

void borrower(const Call& call) {
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  if (seen.size() == static_cast<std::size_t>(x.size) && std::memcmp(seen.data(), x.data, 256) == 0) {
    for (int again = 0; again < 400; ++again) {  // one copy would be too short for the clock
      std::memcpy(y.data, answers.data(), answers.size() * sizeof(float));
      asm volatile("" : : : "memory");
    }
  } else {
    compute(call);
  }
}

const Registration registered{{
    .id = "borrowed/answers",
    .title = "Borrowed answers",
    .idea = "Shows what the harness does about a variant that copies another's answers.",
    .axes = {{.name = "n", .values = {8192}, .small = 137}},
    .problem =
        [](const Params& p) {
          return Problem{.tensors = {input<float>("x", {p["n"]}, {uniform(-1, 1), wide_range(-10, 10)}),
                                     output<float>("y", {p["n"]}, exact())},
                         .work = {.bytes = 8.0 * static_cast<double>(p["n"])}};
        },
    .reference = reference,
    .variants = {{.name = "lender", .run = lender}, {.name = "borrower", .run = borrower}},
}};

}  // namespace
}  // namespace aisp::plugins
