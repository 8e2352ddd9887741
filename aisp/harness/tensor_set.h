// SPDX-License-Identifier: Apache-2.0
/// \file
/// One set of a problem's tensors, owned by the harness: inputs drawn from secret streams, outputs poisoned
/// before each call, guard words around every buffer, and an inspection afterwards that says what a call did
/// to them.
///
///   TensorSet set(problem, params, false);
///   set.draw(seed, round, 0);
///   set.arm(nonce);          // poison and guard words, new for every call
///   variant.run(...);
///   Damage damage = set.inspect();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/problem.h"
#include "aisp/device/buffer.h"
#include "aisp/harness/seed.h"

namespace aisp::harness {

/// What a call did beyond writing its answer.
struct Damage {
  std::optional<std::string> out_of_bounds;   ///< which guard word, of which tensor
  std::optional<std::string> inputs_changed;  ///< which input
  std::uint64_t poison_left = 0;              ///< output elements that still hold their poison
};

class TensorSet {
 public:
  /// With `huge_pages`, tensors of kHugePagesFrom bytes and more ask for them, so that all variants alike
  /// are held to what the machine can do (docs/design/ceilings.md). A smaller tensor would be rounded up to
  /// several times its size, and a batch has thousands.
  TensorSet(const Problem& problem, const Params& params, bool huge_pages);
  TensorSet(const Problem&&, const Params&, bool) = delete;  // it is kept by reference
  static constexpr std::size_t kHugePagesFrom = std::size_t{4} << 20;

  /// Draws state and inputs for a round from a family; families take turns unless one is named.
  void draw(const Seed& seed, int round, int set);
  void draw(const Seed& seed, int round, int set, int family);
  /// Fresh poison in all outputs, fresh guard words around every tensor.
  void arm(std::uint64_t nonce);
  /// While the state of stateful work is loaded the operations must not exist, not even at the addresses they
  /// had in the sample before: between these two calls all inputs are zero.
  void hide_inputs();
  void show_inputs();
  /// Between these two no code can read the inputs: zeros lie in their place.
  void lock_inputs();
  void unlock_inputs();
  Damage inspect() const;
  /// Content hash of all outputs.
  std::uint64_t output_checksum() const;
  /// Content hash of all inputs and state as they were drawn.
  std::uint64_t input_checksum() const { return drawn_checksum_; }

  std::span<const TensorView> inputs() const { return inputs_; }
  std::span<const TensorView> outputs() const { return outputs_; }
  std::span<const TensorView> state() const { return state_; }
  /// Whether input `i` of a trace belongs to no request.
  bool shared(std::size_t i) const { return shared_[i]; }
  /// Whether output `o` is written by Session::finish.
  bool final_state(std::size_t o) const { return final_state_[o]; }
  std::size_t bytes() const { return problem_.bytes(); }

 private:
  struct Tensor {
    const TensorSpec* spec;
    device::Buffer buffer;
    TensorView view;
    std::uint64_t checksum = 0;
    std::uint64_t poison = 0;
    /// Of inputs of stateful work. Taken with the set, so that no measurement of memory counts it.
    std::vector<std::byte> hidden;
  };
  const Problem& problem_;
  const Params& params_;
  std::vector<Tensor> tensors_;
  std::vector<TensorView> inputs_, outputs_, state_;
  std::vector<bool> shared_;       ///< of each input
  std::vector<bool> final_state_;  ///< of each output
  std::uint64_t drawn_checksum_ = 0;
};

}  // namespace aisp::harness
