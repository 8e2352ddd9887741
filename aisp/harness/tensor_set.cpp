// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/tensor_set.h"

#include <cstring>

#include "aisp/core/rng.h"

namespace aisp::harness {

TensorSet::TensorSet(const Problem& problem, const Params& params, bool huge_pages)
    : problem_(problem), params_(params) {
  tensors_.reserve(problem.tensors.size());
  for (const TensorSpec& spec : problem.tensors) {
    device::Buffer buffer(spec.bytes(), {.huge_pages = huge_pages && spec.bytes() >= kHugePagesFrom});
    const TensorView view{buffer.data(), spec.dtype, spec.shape, spec.size()};
    tensors_.push_back({.spec = &spec, .buffer = std::move(buffer), .view = view, .hidden = {}});
    (spec.role == Role::input ? inputs_ : spec.role == Role::output ? outputs_ : state_).push_back(view);
    if (spec.role == Role::input && problem.operations > 0) tensors_.back().hidden.resize(spec.bytes());
    if (spec.role == Role::input) shared_.push_back(spec.shared);
    if (spec.role == Role::output) final_state_.push_back(spec.final_state);
  }
}

void TensorSet::draw(const Seed& seed, int round, int set) {
  draw(seed, round, set, round % problem_.families());
}

void TensorSet::draw(const Seed& seed, int round, int set, int family) {
  std::vector<TensorView> drawn;
  drawn_checksum_ = 0;
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    Tensor& tensor = tensors_[t];
    if (tensor.spec->role == Role::output) continue;
    Rng rng(seed.stream("input", round, set, static_cast<std::int64_t>(t)));
    const auto& families = tensor.spec->families;
    const Distribution& distribution = families[static_cast<std::size_t>(family) % families.size()];
    distribution.draw({params_, drawn, family}, rng, tensor.view);
    drawn.push_back(tensor.view);
    tensor.checksum = tensor.buffer.checksum();
    drawn_checksum_ = random_word(drawn_checksum_ ^ tensor.checksum, t);
  }
}

void TensorSet::arm(std::uint64_t nonce) {
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    Tensor& tensor = tensors_[t];
    tensor.buffer.arm_guards(random_word(nonce, 2 * t));
    if (tensor.spec->role != Role::output) continue;
    tensor.poison = random_word(nonce, 2 * t + 1);
    tensor.buffer.poison(tensor.spec->dtype, tensor.poison);
  }
}

void TensorSet::hide_inputs() {
  for (Tensor& tensor : tensors_) {
    if (tensor.hidden.empty()) continue;
    std::memcpy(tensor.hidden.data(), tensor.view.data, tensor.hidden.size());
    std::memset(tensor.view.data, 0, tensor.hidden.size());
  }
}

void TensorSet::show_inputs() {
  for (const Tensor& tensor : tensors_) {
    if (!tensor.hidden.empty()) std::memcpy(tensor.view.data, tensor.hidden.data(), tensor.hidden.size());
  }
}

void TensorSet::lock_inputs() {
  for (Tensor& tensor : tensors_) {
    if (tensor.spec->role == Role::input) tensor.buffer.hide();
  }
}

void TensorSet::unlock_inputs() {
  for (Tensor& tensor : tensors_) {
    if (tensor.spec->role == Role::input) tensor.buffer.show();
  }
}

Damage TensorSet::inspect() const {
  Damage damage;
  for (const Tensor& tensor : tensors_) {
    if (const auto broken = tensor.buffer.broken_guard(); broken && !damage.out_of_bounds) {
      damage.out_of_bounds = tensor.spec->name + ": " + *broken;
    }
    if (tensor.spec->role == Role::output) {
      damage.poison_left += tensor.buffer.poison_left(tensor.spec->dtype, tensor.poison);
    } else if (tensor.buffer.checksum() != tensor.checksum && !damage.inputs_changed) {
      damage.inputs_changed = tensor.spec->name;
    }
  }
  return damage;
}

std::uint64_t TensorSet::output_checksum() const {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : tensors_) {
    if (tensor.spec->role == Role::output) sum = random_word(sum ^ tensor.buffer.checksum(), 0);
  }
  return sum;
}

}  // namespace aisp::harness
