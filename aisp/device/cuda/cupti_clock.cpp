// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cupti_clock.h"

#include "aisp/device/cuda/cupti_library.h"

namespace aisp::cuda {
namespace {

// The zero lies before the first time that is asked for, so that what began a little earlier has a time too.
constexpr std::uint64_t kBefore = 3'600'000'000'000;

std::uint64_t stamp_now() {
  std::uint64_t now = 0;
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  if (!cupti.reason.empty() || cupti.GetTimestamp(&now) != CUPTI_SUCCESS) return 0;
  return now;
}

std::uint64_t zero() {
  static const std::uint64_t first = stamp_now();
  return first > kBefore ? first - kBefore : 0;
}

}  // namespace

double on_cupti_clock(std::uint64_t stamp) {
  if (stamp == 0) return 0;
  return static_cast<double>(static_cast<std::int64_t>(stamp - zero()));
}

double cupti_now_ns() { return on_cupti_clock(stamp_now()); }

}  // namespace aisp::cuda
