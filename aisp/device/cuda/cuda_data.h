// SPDX-License-Identifier: Apache-2.0
/// \file
/// GpuData on a CUDA device. Works on the default stream and waits for it.
#pragma once

#include "aisp/device/cuda/compare_kernels.h"
#include "aisp/device/cuda/line_kernels.h"
#include "aisp/device/cuda/memory.h"
#include "aisp/device/gpu/gpu_data.h"

namespace aisp::cuda {

class CudaData : public device::GpuData {
 public:
  CudaData();

  void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) override;
  device::LineDamage lines_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed) override;
  void poison(const TensorView& tensor, std::uint64_t seed) override;
  std::uint64_t poison_left(const TensorView& tensor, std::uint64_t seed) override;
  std::uint64_t checksum(const std::byte* begin, std::size_t bytes) override;
  bool draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) override;
  void compare(const TensorSpec& spec, const TensorView& got, const device::WideOnDevice& want,
               CheckOutcome& outcome) override;
  device::Looks looks_of(const TensorView& tensor) override;

 private:
  /// Lets `search` fill in a result that starts as T{}, and fetches it.
  template <class T, class Search>
  T found(T* on_device, Search search);

  DeviceMemory<Found> found_;
  DeviceMemory<Comparison> comparison_;
  DeviceMemory<Seen> seen_;
};

}  // namespace aisp::cuda
