// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the harness does with tensors that live on a GPU, where they live: fresh inputs, poison, guard words,
/// checksums, comparison with the reference. The same meanings as on the host (core/distribution,
/// device/buffer, core/checker), which tests compare it with. All calls return when the work is done.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aisp/core/checker.h"
#include "aisp/core/distribution.h"
#include "aisp/core/problem.h"
#include "aisp/core/tensor.h"

namespace aisp::device {

/// Bytes of a zone that differ from what filled it.
struct LineDamage {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  ///< offset of the first and the last; only where count > 0
  std::uint64_t last = 0;
};

/// A reference's answer, in double, on the device.
struct WideOnDevice {
  const double* value = nullptr;
  const double* scale = nullptr;  ///< null, or 0 for an element: |value|
};

/// What an answer looks like, whether or not it is right.
struct Looks {
  bool constant = false;    ///< one value in every element, of two and more
  bool not_finite = false;  ///< a NaN or Inf somewhere
};

class GpuData {
 public:
  virtual ~GpuData() = default;

  /// As device::fill_lines, at any alignment.
  virtual void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) = 0;
  virtual LineDamage lines_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed) = 0;

  virtual void poison(const TensorView& tensor, std::uint64_t seed) = 0;
  /// Elements that still hold their poison; integers count in whole aligned 8-byte words only, since one of
  /// them equals its poison by chance.
  virtual std::uint64_t poison_left(const TensorView& tensor, std::uint64_t seed) = 0;

  /// content_sum() of the bytes.
  virtual std::uint64_t checksum(const std::byte* begin, std::size_t bytes) = 0;

  /// False where the form is one that only the host can draw.
  virtual bool draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) = 0;

  /// As core's compare_tensor().
  virtual void compare(const TensorSpec& spec, const TensorView& got, const WideOnDevice& want,
                       CheckOutcome& outcome) = 0;
  virtual Looks looks_of(const TensorView& tensor) = 0;
};

}  // namespace aisp::device
