// SPDX-License-Identifier: Apache-2.0
// What the harness does with tensors on a GPU means the same as what it does on the host.
#include <cmath>
#include <limits>

#include "aisp/core/distribution.h"
#include "aisp/core/rng.h"
#include "aisp/device/buffer.h"
#include "aisp/device/cuda/cuda_data.h"
#include "aisp/device/gpu/content_sum.h"
#include "aisp/device/line_words.h"
#include "tests/cuda/on_device.h"

namespace aisp::testing {
namespace {

constexpr std::int64_t kElements = 10007;  // no multiple of anything

class DataOnDevice : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (!IsSkipped()) data = std::make_unique<cuda::CudaData>();
  }
  std::unique_ptr<device::GpuData> data;
};

TEST_F(DataOnDevice, LinesAreThoseOfTheHostAtAnyAlignment) {
  for (const std::size_t start : {0, 1, 7, 8, 13}) {
    Twin zone(DType::u8, 5000);
    data->fill_lines(zone.device.data + start, 4096, 99, 0x8000000000000001ull);
    device::fill_lines(zone.host.data + start, 4096, 99, 0x8000000000000001ull);
    EXPECT_EQ(std::memcmp(zone.downloaded().data(), zone.host.data, 5000), 0) << "from byte " << start;
  }
}

TEST_F(DataOnDevice, DamageIsFoundByteByByte) {
  Twin zone(DType::u8, 4096);
  data->fill_lines(zone.device.data, 4096, 7, 0);
  EXPECT_EQ(data->lines_damage(zone.device.data, 4096, 7).count, 0u);
  for (const std::size_t at : {17, 4095}) {
    std::byte byte;
    ASSERT_EQ(cudaMemcpy(&byte, zone.device.data + at, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    byte ^= std::byte{0x10};
    ASSERT_EQ(cudaMemcpy(zone.device.data + at, &byte, 1, cudaMemcpyHostToDevice), cudaSuccess);
  }
  const device::LineDamage damage = data->lines_damage(zone.device.data, 4096, 7);
  EXPECT_EQ(damage.count, 2u);
  EXPECT_EQ(damage.first, 17u);
  EXPECT_EQ(damage.last, 4095u);
}

TEST_F(DataOnDevice, PoisonIsWhatTheHostPutsThereAndIsCounted) {
  for (const DType type : kEveryType) {
    Twin tensor(type, kElements);
    data->poison(tensor.device, 5);
    device::Buffer host(tensor.host.bytes());
    host.poison(type, 5);
    EXPECT_EQ(std::memcmp(tensor.downloaded().data(), host.data(), host.size()), 0) << name_of(type);
    const std::uint64_t whole =
        device::poison_is_nan(type) ? kElements : tensor.host.bytes() / 8 * 8 / size_of(type);
    EXPECT_EQ(data->poison_left(tensor.device, 5), whole) << name_of(type);
    // Narrow floats have few NaNs: another seed's are the same by chance, 1 in 128 for bf16.
    EXPECT_LT(data->poison_left(tensor.device, 6), kElements / 50) << name_of(type);
    ASSERT_EQ(cudaMemset(tensor.device.data, 0, tensor.host.bytes() / 2), cudaSuccess);
    EXPECT_NEAR(static_cast<double>(data->poison_left(tensor.device, 5)), static_cast<double>(whole) / 2, 8)
        << name_of(type);
  }
}

TEST_F(DataOnDevice, ChecksumsAreContentSums) {
  for (const std::size_t bytes : {1, 8, 63, 64, 100001}) {
    Twin tensor(DType::u8, static_cast<std::int64_t>(bytes));
    for (std::size_t i = 0; i < bytes; ++i) tensor.bytes[i] = static_cast<std::byte>(random_word(3, i));
    tensor.upload();
    EXPECT_EQ(data->checksum(tensor.device.data, bytes), device::content_sum(tensor.host.data, bytes))
        << bytes;
  }
}

/// The largest distance in units of the last place, of values no smaller than `least` in magnitude.
double worst_distance(const Twin& tensor, double least) {
  const std::vector<std::byte> copy = tensor.downloaded();
  const TensorView drawn{const_cast<std::byte*>(copy.data()), tensor.host.dtype, tensor.shape,
                         tensor.host.size};
  double worst = 0;
  for (std::int64_t i = 0; i < drawn.size; ++i) {
    const double here = tensor.host.value(i), there = drawn.value(i);
    if (here == there) continue;
    const double step = std::max(std::fabs(here), least) * unit_roundoff(tensor.host.dtype) * 2;
    worst = std::max(worst, std::fabs(here - there) / step);
  }
  return worst;
}

TEST_F(DataOnDevice, DrawsAreThoseOfTheHost) {
  struct Case {
    Distribution distribution;
    double last_places;     ///< allowed: libraries differ in the last place of log, cos, exp and exp2
    double least = 1e-300;  ///< where small values are differences of larger ones
  };
  const Case cases[] = {{uniform(-1, 1), 0},    {uniform(3, 7), 0},       {normal(1, 2), 1, 2},
                        {integers(-5, 100), 0}, {wide_range(-20, 20), 1}, {cancelling(1e3), 1},
                        {ties(-1, 1, 5), 0},    {skewed(1000), 0}};
  for (const DType type : {DType::f32, DType::f64, DType::bf16, DType::f16}) {
    for (const auto& [distribution, last_places, least] : cases) {
      Twin tensor(type, kElements);
      Rng rng(11);
      const Params none;
      distribution.draw({none, {}, 0}, rng, tensor.host);
      ASSERT_TRUE(data->draw(distribution.form, 11, tensor.device)) << distribution.name;
      // In double the last places of the functions themselves show.
      EXPECT_LE(worst_distance(tensor, least), type == DType::f64 ? 8 * last_places : last_places)
          << distribution.name << " " << name_of(type);
    }
  }
}

TEST_F(DataOnDevice, WhatOnlyTheHostCanDrawIsLeftToIt) {
  Twin tensor(DType::i32, 16);
  EXPECT_FALSE(data->draw(permutation().form, 1, tensor.device));
}

class ComparisonOnDevice : public DataOnDevice {
 protected:
  /// Both comparisons of the same answer with the same reference.
  void expect_same(const Tolerance& tolerance, const std::vector<double>& want,
                   const std::vector<double>& scale, const Twin& got) {
    const TensorSpec spec{.name = "y",
                          .role = Role::output,
                          .dtype = got.host.dtype,
                          .shape = got.shape,
                          .tolerance = tolerance};
    CheckOutcome here, there;
    compare_tensor(spec, got.host, {want, scale}, here);
    auto value = cuda::device_memory<double>(want.size());
    auto scales = cuda::device_memory<double>(want.size());
    ASSERT_EQ(cudaMemcpy(value.get(), want.data(), want.size() * 8, cudaMemcpyHostToDevice), cudaSuccess);
    if (!scale.empty())
      ASSERT_EQ(cudaMemcpy(scales.get(), scale.data(), scale.size() * 8, cudaMemcpyHostToDevice),
                cudaSuccess);
    data->compare(spec, got.device, {value.get(), scale.empty() ? nullptr : scales.get()}, there);
    EXPECT_EQ(here.wrong, there.wrong);
    EXPECT_EQ(here.first, there.first);
    if (std::isfinite(here.worst)) EXPECT_NEAR(here.worst, there.worst, 1e-9 * here.worst);
    EXPECT_EQ(std::isfinite(here.worst), std::isfinite(there.worst));
  }
};

TEST_F(ComparisonOnDevice, FindsWhatTheHostFinds) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const DType type : {DType::f32, DType::f64, DType::bf16}) {
    Twin got(type, kElements);
    std::vector<double> want(kElements), scale(kElements);
    Rng rng(4);
    for (std::int64_t i = 0; i < kElements; ++i) {
      got.host.set(i, rng.uniform(-2, 2));
      want[static_cast<std::size_t>(i)] = got.host.value(i) * (1 + rng.uniform(-1, 1) * 1e-6);
      scale[static_cast<std::size_t>(i)] = rng.uniform(1, 3);
    }
    got.host.set(100, nan);
    got.host.set(101, inf), want[101] = inf;
    got.host.set(102, 1), want[102] = -inf;
    got.host.set(103, nan), want[103] = nan;
    got.host.set(104, inf), want[104] = 5;
    got.upload();
    for (const auto& scales : {scale, std::vector<double>{}}) {
      expect_same(exact(), want, scales, got);
      expect_same(roundings(DType::f32, 4), want, scales, got);
      expect_same(reduction(type, DType::f32, 1000), want, scales, got);
    }
  }
}

TEST_F(ComparisonOnDevice, AcceptsWhatIsRight) {
  Twin got(DType::i32, kElements);
  std::vector<double> want(kElements);
  for (std::int64_t i = 0; i < kElements; ++i)
    got.host.set(i, i), want[static_cast<std::size_t>(i)] = double(i);
  got.upload();
  expect_same(exact(), want, {}, got);
}

TEST_F(DataOnDevice, LooksOfAnAnswer) {
  Twin tensor(DType::f32, kElements);
  for (std::int64_t i = 0; i < kElements; ++i) tensor.host.set(i, 3);
  tensor.upload();
  EXPECT_TRUE(data->looks_of(tensor.device).constant);
  EXPECT_FALSE(data->looks_of(tensor.device).not_finite);
  tensor.host.set(kElements - 1, std::nan(""));
  tensor.upload();
  EXPECT_FALSE(data->looks_of(tensor.device).constant);
  EXPECT_TRUE(data->looks_of(tensor.device).not_finite);
}

}  // namespace
}  // namespace aisp::testing
