// SPDX-License-Identifier: Apache-2.0
/// \file
/// For tests that need a GPU: a test class that is skipped, with the reason, where there is none, and a host
/// tensor with its copy on the device.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "aisp/core/tensor.h"
#include "aisp/device/cuda/memory.h"

namespace aisp::testing {

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU: " << cudaGetErrorString(found);
  }
};

/// `pad` bytes more on both sides on the device, so that views can start anywhere.
struct Twin {
  explicit Twin(DType type, std::int64_t elements)
      : shape{elements},
        bytes(static_cast<std::size_t>(elements) * size_of(type) + 64),
        memory(cuda::device_memory<std::byte>(bytes.size())),
        host{bytes.data(), type, shape, elements},
        device{memory.get(), type, shape, elements} {}

  void upload() {
    cuda::check(cudaMemcpy(memory.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "up");
  }
  std::vector<std::byte> downloaded() const {
    std::vector<std::byte> copy(host.bytes());
    cuda::check(cudaMemcpy(copy.data(), memory.get(), copy.size(), cudaMemcpyDeviceToHost), "down");
    return copy;
  }

  Extents shape;
  std::vector<std::byte> bytes;
  cuda::DeviceMemory<std::byte> memory;
  TensorView host;
  TensorView device;
};

inline constexpr DType kEveryType[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3,
                                       DType::i64, DType::i32, DType::i16, DType::i8,   DType::u64,
                                       DType::u32, DType::u16, DType::u8};

}  // namespace aisp::testing
