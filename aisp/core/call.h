// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a variant gets when it is timed: typed views of its inputs and outputs, its plan, and its threads.
///
///   enum { kX };  enum { kY };
///   void naive(const Call& call) {
///     const auto x = call.input<float>(kX);
///     const auto y = call.output<float>(kY);
///     for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
///   }
///
/// A variant never sees seeds, references or the clock, and owns neither inputs nor outputs.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/params.h"
#include "aisp/core/team.h"
#include "aisp/core/tensor.h"

namespace aisp {

/// Numbers a variant reports about itself (hit rate, tokens per step). Stored and shown, never used as time.
using Metrics = std::vector<std::pair<std::string, double>>;

class Call {
 public:
  struct Parts {
    const Params* params = nullptr;
    std::span<const TensorView> inputs;   ///< tensors of role input, in declaration order
    std::span<const TensorView> outputs;  ///< tensors of role output, in declaration order
    std::span<const TensorView> state;    ///< tensors of role state; Session::load only
    void* plan = nullptr;
    Team* team = nullptr;
    Metrics* metrics = nullptr;
    void* stream = nullptr;  ///< variants for a GPU
  };
  explicit Call(const Parts& parts) : parts_(parts) {}

  template <class T>
  View<const T> input(std::size_t i) const {
    AISP_CHECK(i < parts_.inputs.size(), "a variant asked for an input that is not declared");
    return parts_.inputs[i].as<const T>();
  }
  template <class T>
  View<T> output(std::size_t i) const {
    AISP_CHECK(i < parts_.outputs.size(), "a variant asked for an output that is not declared");
    return parts_.outputs[i].as<T>();
  }
  template <class T>
  View<const T> state(std::size_t i) const {
    AISP_CHECK(i < parts_.state.size(), "state is visible to Session::load only");
    return parts_.state[i].as<const T>();
  }
  /// What prepare() returned.
  template <class P>
  P& plan() const {
    AISP_CHECK(parts_.plan != nullptr, "a variant without prepare() asked for its plan");
    return *static_cast<P*>(parts_.plan);
  }
  const Params& params() const { return *parts_.params; }
  Team& team() const { return *parts_.team; }
  /// Where a variant for a GPU queues its work: `static_cast<cudaStream_t>(call.stream())`. What it queues
  /// elsewhere must be joined to it. Null on the CPU.
  void* stream() const { return parts_.stream; }
  /// Reports an extra figure. Call it outside hot loops.
  void metric(std::string name, double value) const {
    if (parts_.metrics != nullptr) parts_.metrics->emplace_back(std::move(name), value);
  }

 protected:
  Parts parts_;
};

}  // namespace aisp
