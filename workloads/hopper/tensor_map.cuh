// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the copy engine is told of a matrix: made on the host, passed to a kernel as
/// `const __grid_constant__ CUtensorMap`.
///
///   const CUtensorMap map = matrix_map(a, rows, columns, 128);   // boxes of 128 rows of 128 bytes, swizzled
///
/// Boxes may reach beyond the matrix: zeros are read there and nothing is written. Rows must begin at
/// multiples of 16 bytes, so `columns` of bf16 is a multiple of eight.
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "workloads/hopper/layout.h"

namespace aisp::hopper {

/// The driver's function, found when it is first needed: the program starts where there is no driver.
inline auto* map_encoder() {
  using Encode = decltype(&cuTensorMapEncodeTiled);
  static const auto encode = [] {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const cudaError_t code = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12'000,
                                                              cudaEnableDefault, &found);
    if (code != cudaSuccess || found != cudaDriverEntryPointSuccess || address == nullptr)
      throw std::runtime_error("the driver has no cuTensorMapEncodeTiled: it must know CUDA 12 or newer");
    return reinterpret_cast<Encode>(address);
  }();
  return encode;
}

/// Of `matrices` row-major matrices of bf16, one behind the other: boxes of `box_rows` (at most 256) rows of
/// 64 values of one of them. What is beyond a matrix is beyond it, though the next one lies there.
/// Fetching 256 bytes into the L2 cache at a touch suits tiles that others read again; what is read once
/// comes faster without: on an H200 the ring of ch18/flash_decode by 7 to 8 %.
inline CUtensorMap stack_map(const void* data, std::int64_t matrices, std::int64_t rows, std::int64_t columns,
                             int box_rows,
                             CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B) {
  CUtensorMap map;
  const cuuint64_t extents[3] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows),
                                 static_cast<cuuint64_t>(matrices)};
  const cuuint64_t strides[2] = {static_cast<cuuint64_t>(columns) * 2,
                                 static_cast<cuuint64_t>(rows * columns) * 2};
  const cuuint32_t box[3] = {kRowValues, static_cast<cuuint32_t>(box_rows), 1};
  const cuuint32_t steps[3] = {1, 1, 1};
  const CUresult result =
      map_encoder()(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<void*>(data), extents, strides, box,
                    steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, promotion,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("describing " + std::to_string(matrices) + " matrices of " +
                             std::to_string(rows) + " x " + std::to_string(columns) +
                             " to the copy engine: error " + std::to_string(static_cast<int>(result)) +
                             " (rows must begin at multiples of 16 bytes)");
  return map;
}

template <class T>
constexpr CUtensorMapDataType map_type() {
  if constexpr (std::is_same_v<T, float>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  if constexpr (std::is_same_v<T, __nv_fp8_e4m3>) return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}

/// Of a row-major matrix of bf16, e4m3 or float: boxes of `box_rows` (at most 256) rows of 128 bytes.
template <class T>
CUtensorMap matrix_map(const T* data, std::int64_t rows, std::int64_t columns, int box_rows) {
  CUtensorMap map;
  const cuuint64_t extents[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t row_bytes[1] = {static_cast<cuuint64_t>(columns) * sizeof(T)};
  const cuuint32_t box[2] = {kRowBytes / sizeof(T), static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t steps[2] = {1, 1};
  const CUresult result =
      map_encoder()(&map, map_type<T>(), 2, const_cast<T*>(data), extents, row_bytes, box, steps,
                    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                    CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("describing a matrix of " + std::to_string(rows) + " x " +
                             std::to_string(columns) + " to the copy engine: error " +
                             std::to_string(static_cast<int>(result)) +
                             " (rows must begin at multiples of 16 bytes)");
  return map;
}

}  // namespace aisp::hopper
