// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the GPU that is made of threads does with tensors.
#pragma once

#include "aisp/device/gpu/gpu_data.h"

namespace aisp::harness {

class FakeData : public device::GpuData {
 public:
  void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) override;
  device::LineDamage lines_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed) override;
  void poison(const TensorView& tensor, std::uint64_t seed) override;
  std::uint64_t poison_left(const TensorView& tensor, std::uint64_t seed) override;
  std::uint64_t checksum(const std::byte* begin, std::size_t bytes) override;
  bool draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) override;
  void compare(const TensorSpec& spec, const TensorView& got, const device::WideOnDevice& want,
               CheckOutcome& outcome) override;
  device::Looks looks_of(const TensorView& tensor) override;
};

}  // namespace aisp::harness
