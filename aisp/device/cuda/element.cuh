// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elements of tensors whose type is known only when the program runs, widened to double and rounded back:
/// TensorView::value() and set() for device code.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstddef>
#include <cstdint>

#include "aisp/core/dtype.h"

namespace aisp::cuda {

template <class T>
__device__ T element_at(const std::byte* data, std::uint64_t i) {
  return reinterpret_cast<const T*>(data)[i];
}

__device__ inline double element_value(const std::byte* data, DType type, std::uint64_t i) {
  switch (type) {
    case DType::f64:
      return element_at<double>(data, i);
    case DType::f32:
      return element_at<float>(data, i);
    case DType::f16:
      return __half2float(element_at<__half>(data, i));
    case DType::bf16:
      return __bfloat162float(element_at<__nv_bfloat16>(data, i));
    case DType::f8e4m3:
      return static_cast<float>(element_at<__nv_fp8_e4m3>(data, i));
    case DType::i64:
      return static_cast<double>(element_at<std::int64_t>(data, i));
    case DType::i32:
      return element_at<std::int32_t>(data, i);
    case DType::i16:
      return element_at<std::int16_t>(data, i);
    case DType::i8:
      return element_at<std::int8_t>(data, i);
    case DType::u64:
      return static_cast<double>(element_at<std::uint64_t>(data, i));
    case DType::u32:
      return element_at<std::uint32_t>(data, i);
    case DType::u16:
      return element_at<std::uint16_t>(data, i);
    case DType::u8:
      return element_at<std::uint8_t>(data, i);
  }
  return 0;
}

/// The whole number nearest to value, within [low, high].
__device__ inline double whole_within(double value, double low, double high) {
  return fmin(fmax(rint(value), low), high);
}

__device__ inline void set_element(std::byte* data, DType type, std::uint64_t i, double value) {
  switch (type) {
    case DType::f64:
      reinterpret_cast<double*>(data)[i] = value;
      return;
    case DType::f32:
      reinterpret_cast<float*>(data)[i] = static_cast<float>(value);
      return;
    case DType::f16:  // through float, as the host does: rounded twice
      reinterpret_cast<__half*>(data)[i] = __float2half_rn(static_cast<float>(value));
      return;
    case DType::bf16:
      reinterpret_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16_rn(static_cast<float>(value));
      return;
    case DType::f8e4m3:
      reinterpret_cast<__nv_fp8_e4m3*>(data)[i] = __nv_fp8_e4m3(static_cast<float>(value));
      return;
    case DType::i64:
      reinterpret_cast<std::int64_t*>(data)[i] = __double2ll_rn(value);
      return;
    case DType::i32:
      reinterpret_cast<std::int32_t*>(data)[i] =
          static_cast<std::int32_t>(whole_within(value, INT32_MIN, INT32_MAX));
      return;
    case DType::i16:
      reinterpret_cast<std::int16_t*>(data)[i] =
          static_cast<std::int16_t>(whole_within(value, INT16_MIN, INT16_MAX));
      return;
    case DType::i8:
      reinterpret_cast<std::int8_t*>(data)[i] =
          static_cast<std::int8_t>(whole_within(value, INT8_MIN, INT8_MAX));
      return;
    case DType::u64:
      reinterpret_cast<std::uint64_t*>(data)[i] = __double2ull_rn(value);
      return;
    case DType::u32:
      reinterpret_cast<std::uint32_t*>(data)[i] =
          static_cast<std::uint32_t>(whole_within(value, 0, UINT32_MAX));
      return;
    case DType::u16:
      reinterpret_cast<std::uint16_t*>(data)[i] =
          static_cast<std::uint16_t>(whole_within(value, 0, UINT16_MAX));
      return;
    case DType::u8:
      reinterpret_cast<std::uint8_t*>(data)[i] = static_cast<std::uint8_t>(whole_within(value, 0, UINT8_MAX));
      return;
  }
}

}  // namespace aisp::cuda
