// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a workload computes at one size: its tensors and its work. Declared by the workload, owned by the
/// harness.
///
///   return {.tensors = {input<float>("x", {n, n}, {uniform(-1, 1), ties(-1, 1, 3)}),
///                       output<float>("y", {n, n}, exact())},
///           .work = {.bytes = 8.0 * n * n}};
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aisp/core/distribution.h"
#include "aisp/core/result.h"
#include "aisp/core/tensor.h"
#include "aisp/core/tolerance.h"

namespace aisp {

enum class Role : std::uint8_t {
  input,   ///< read by run(); fresh in every round
  output,  ///< written by run(); poisoned before every call, checked after it
  state,   ///< stateful work only: seen by Session::load, before the operations exist
};

/// Which memory holds a tensor of a problem on a device with memory of its own; elsewhere there is only one.
enum class Place : std::uint8_t { device, host };

struct TensorSpec {
  std::string name;
  Role role = Role::input;
  DType dtype = DType::f32;
  Extents shape;
  std::vector<Distribution> families;  ///< inputs and state
  Tolerance tolerance;                 ///< outputs
  bool final_state = false;            ///< outputs of stateful work: written by Session::finish
  bool shared = false;                 ///< inputs of a trace: no request's own, readable from the start
  Place place = Place::device;         ///< inputs: where variants find it (see Variant::pinned)

  std::int64_t size() const { return element_count(shape); }
  std::size_t bytes() const { return static_cast<std::size_t>(size()) * size_of(dtype); }
};

template <class T>
TensorSpec input(std::string name, Extents shape, std::vector<Distribution> families) {
  return {.name = std::move(name),
          .role = Role::input,
          .dtype = DTypeOf<T>::value,
          .shape = std::move(shape),
          .families = std::move(families),
          .tolerance = {}};
}
/// An input of a trace that belongs to no request, such as a model's weights. Every other input of a trace
/// has a row for each request and is hidden until that request is due. Said, not guessed from the shape:
/// weights can have as many rows as there are requests.
template <class T>
TensorSpec shared_input(std::string name, Extents shape, std::vector<Distribution> families) {
  TensorSpec spec = input<T>(std::move(name), std::move(shape), std::move(families));
  spec.shared = true;
  return spec;
}
/// An input that lies in the host's memory when a call for a GPU begins.
template <class T>
TensorSpec host_input(std::string name, Extents shape, std::vector<Distribution> families) {
  TensorSpec spec = input<T>(std::move(name), std::move(shape), std::move(families));
  spec.place = Place::host;
  return spec;
}
template <class T>
TensorSpec state(std::string name, Extents shape, std::vector<Distribution> families) {
  return {.name = std::move(name),
          .role = Role::state,
          .dtype = DTypeOf<T>::value,
          .shape = std::move(shape),
          .families = std::move(families),
          .tolerance = {}};
}
template <class T>
TensorSpec output(std::string name, Extents shape, Tolerance tolerance) {
  return {.name = std::move(name),
          .role = Role::output,
          .dtype = DTypeOf<T>::value,
          .shape = std::move(shape),
          .families = {},
          .tolerance = std::move(tolerance)};
}

/// What is left after the last operation of stateful work. Session::finish writes it after the clock has
/// stopped, so it must be little beside the operations; every other output counts as it stood when the clock
/// stopped.
template <class T>
TensorSpec final_state(std::string name, Extents shape, Tolerance tolerance) {
  TensorSpec spec = output<T>(std::move(name), std::move(shape), std::move(tolerance));
  spec.final_state = true;
  return spec;
}

/// Which way the compulsory bytes go. Memory reads and writes at different speeds, so work that hardly
/// writes is bounded by the bandwidth of reads alone. `copy`: as much written as read. `from_host`: over the
/// bus, from the host's memory to the device's.
enum class Traffic : std::uint8_t { any, read, write, copy, from_host };
std::string_view name_of(Traffic traffic);
/// The kind of that name; `any`, which bounds everything, for a name that is none.
Traffic traffic_named(std::string_view name);

/// The least work any implementation must do, from which floors and percentages are computed. 0 = not a
/// bound.
struct Work {
  double bytes = 0;  ///< compulsory traffic: each input read once, each output written once
  double flops = 0;
  double items = 0;                ///< rows, tokens, operations: what throughput counts
  DType math = DType::f32;         ///< the precision whose peak bounds the flops
  Traffic traffic = Traffic::any;  ///< what the bytes are; `any` is priced at the fastest of all kinds
};

struct Problem {
  std::vector<TensorSpec> tensors;
  Work work;
  std::int64_t operations = 0;      ///< stateful work: length of the operation sequence
  std::size_t workspace_bytes = 0;  ///< the largest plan any variant builds; counted before memory is refused

  /// All harness-owned tensors together.
  std::size_t bytes() const;
  /// The number of input families: the most any tensor declares.
  int families() const;
};

/// Names what is wrong with a problem: no output, an extent below 1, fewer than two families, a tolerance
/// that is negative or not finite. Not what is too large: that depends on the machine.
Status validate(const Problem& problem);

}  // namespace aisp
