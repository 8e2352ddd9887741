// SPDX-License-Identifier: Apache-2.0
/// \file
/// While one of these lives no code can read the inputs of some tensor sets: zeros lie in their place.
///
///   const LockedInputs locked(sets);
///   variant.run(other_sets);   // nothing about `sets` can be found out here
#pragma once

#include <memory>
#include <span>

#include "aisp/harness/tensor_set.h"

namespace aisp::harness {

class LockedInputs {
 public:
  using Sets = std::span<const std::unique_ptr<TensorSet>>;

  explicit LockedInputs(Sets sets) : sets_(sets) {
    for (const auto& set : sets_) set->lock_inputs();
  }
  ~LockedInputs() {
    for (const auto& set : sets_) set->unlock_inputs();
  }
  LockedInputs(const LockedInputs&) = delete;
  LockedInputs& operator=(const LockedInputs&) = delete;

 private:
  Sets sets_;
};

}  // namespace aisp::harness
