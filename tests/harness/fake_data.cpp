// SPDX-License-Identifier: Apache-2.0
#include "fake_data.h"

#include <cstring>
#include <vector>

#include "aisp/device/gpu/content_sum.h"
#include "aisp/device/line_words.h"
#include "fake_cache.h"
#include "fake_gpu.h"
#include "fake_memory.h"

namespace aisp::harness {
namespace {

std::vector<std::byte> lines(std::size_t bytes, std::uint64_t seed, std::uint64_t set) {
  std::vector<std::byte> expected(bytes);
  device::fill_lines(expected.data(), bytes, seed, set);
  return expected;
}

}  // namespace

void FakeData::fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) {
  must_work();
  must_see(begin);
  device::fill_lines(begin, bytes, seed, set);
}

device::LineDamage FakeData::lines_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed) {
  const std::vector<std::byte> expected = lines(bytes, seed, 0);
  device::LineDamage damage;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (begin[i] == expected[i]) continue;
    if (damage.count++ == 0) damage.first = i;
    damage.last = i;
  }
  return damage;
}

void FakeData::poison(const TensorView& tensor, std::uint64_t seed) {
  device::fill_lines(tensor.data, tensor.bytes(), seed, device::poison_bits(tensor.dtype));
}

std::uint64_t FakeData::poison_left(const TensorView& tensor, std::uint64_t seed) {
  const auto expected = lines(tensor.bytes(), seed, device::poison_bits(tensor.dtype));
  const std::size_t width = is_floating(tensor.dtype) ? size_of(tensor.dtype) : 8;
  std::uint64_t left = 0;
  for (std::size_t at = 0; at + width <= expected.size(); at += width) {
    const bool same = std::memcmp(tensor.data + at, expected.data() + at, width) == 0;
    left += same ? width / size_of(tensor.dtype) : 0;
  }
  return left;
}

std::uint64_t FakeData::checksum(const std::byte* begin, std::size_t bytes) {
  must_work();
  must_see(begin);
  fake_cache().read(begin, bytes);
  return device::content_sum(begin, bytes);
}

bool FakeData::draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) {
  if (form.kind != DrawForm::Kind::uniform) return false;  // the rest comes from the host, as it may
  const Params none;
  Rng rng(stream);
  uniform(form.first, form.second).draw({none, {}, 0}, rng, tensor);
  return true;
}

void FakeData::compare(const TensorSpec& spec, const TensorView& got, const device::WideOnDevice& want,
                       CheckOutcome& outcome) {
  const auto size = static_cast<std::size_t>(got.size);
  WideTensor wide{.value{want.value, want.value + size}, .scale = std::vector<double>(size)};
  for (std::size_t i = 0; i < size; ++i) {
    const double scale = want.scale == nullptr ? 0 : want.scale[i];
    wide.scale[i] = scale != 0 ? scale : wide.value[i] < 0 ? -wide.value[i] : wide.value[i];
  }
  compare_tensor(spec, got, wide, outcome);
}

device::Looks FakeData::looks_of(const TensorView& tensor) {
  device::Looks looks{.constant = tensor.size > 1};
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    looks.constant = looks.constant && tensor.value(i) == tensor.value(0);
    looks.not_finite = looks.not_finite || !(tensor.value(i) - tensor.value(i) == 0);
  }
  return looks;
}

}  // namespace aisp::harness
