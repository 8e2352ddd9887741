// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides whether an answer is right. One checker is made per round from that round's inputs and then asked
/// about the answer of every variant. The default runs the workload's reference; a workload whose reference
/// is too slow at the timed size supplies its own (a Freivalds projection, a residual) with a stated miss
/// probability.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/problem.h"
#include "aisp/core/rng.h"

namespace aisp {

/// One output of the reference, in double. `scale` is the magnitude of what was summed for each element;
/// leave it empty where it is |value|.
struct WideTensor {
  std::vector<double> value;
  std::vector<double> scale;
};

/// What a reference reads and writes. Inputs hold tensors of role input; `state` those of role state.
struct ReferenceCall {
  const Params& params;
  std::span<const TensorView> inputs;
  std::span<const TensorView> state;
  std::vector<WideTensor>& outputs;  ///< one per output, value already sized

  template <class T>
  View<const T> input(std::size_t i) const {
    return inputs[i].as<const T>();
  }
  template <class T>
  View<const T> state_of(std::size_t i) const {
    return state[i].as<const T>();
  }
};
using ReferenceFunction = std::function<void(const ReferenceCall&)>;

struct CheckOutcome {
  std::uint64_t wrong = 0;  ///< elements (or projections) beyond the tolerance; 0 = accepted
  double worst = 0;         ///< largest error as a multiple of what is allowed; infinite for NaN
  std::string first;        ///< "y[17]: got 1.5, want 2 (allowed 1e-6)"; empty when accepted
};

class AnswerChecker {
 public:
  virtual ~AnswerChecker() = default;
  virtual CheckOutcome check(std::span<const TensorView> outputs) const = 0;
  /// How likely a wrong answer passes one check(); 0 for a full comparison. Stated, so that a guard can judge
  /// it.
  virtual double miss_probability() const = 0;
  /// How far output `tensor` may be off at element i, and the value expected there; used to build mutants. A
  /// checker that does not know single elements returns false.
  virtual bool element(std::size_t /*tensor*/, std::int64_t /*i*/, double& /*want*/,
                       double& /*allowed*/) const {
    return false;
  }
};

struct CheckSetup {
  const Params& params;
  const Problem& problem;
  std::span<const TensorView> inputs;
  std::span<const TensorView> state;
  Rng& rng;  ///< secret; for projections
};
using CheckFactory = std::function<std::unique_ptr<AnswerChecker>(const CheckSetup&)>;

/// "y[17]: got 1.5, want 2 (allowed 1e-6)"
std::string describe_wrong(const TensorSpec& spec, std::int64_t i, double got, double want, double allowed);

/// Compares one tensor with the reference element by element; adds to `outcome`. NaN and Inf are accepted
/// only where the reference has them.
void compare_tensor(const TensorSpec& spec, const TensorView& got, const WideTensor& want,
                    CheckOutcome& outcome);

/// The default checker: runs the reference once, then compares every element of every answer.
std::unique_ptr<AnswerChecker> make_reference_checker(const ReferenceFunction& reference,
                                                      const CheckSetup& setup);

}  // namespace aisp
