// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cuda_data.h"

#include <algorithm>
#include <bit>

#include "aisp/device/cuda/draw_kernels.h"
#include "aisp/device/gpu/content_sum.h"
#include "aisp/device/line_words.h"

namespace aisp::cuda {
namespace {

template <class T>
T fetch(const T* from) {
  T value;
  check(cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost), "fetching from the device");
  return value;
}

/// One element, as the host would see it.
double fetch_element(const TensorView& tensor, std::uint64_t i) {
  std::byte bytes[8] = {};
  const std::size_t width = size_of(tensor.dtype);
  check(cudaMemcpy(bytes, tensor.data + i * width, width, cudaMemcpyDeviceToHost), "fetching an element");
  return TensorView{bytes, tensor.dtype, {}, 1}.value(0);
}

}  // namespace

CudaData::CudaData()
    : found_(device_memory<Found>(1)),
      comparison_(device_memory<Comparison>(1)),
      seen_(device_memory<Seen>(1)) {}

template <class T, class Search>
T CudaData::found(T* on_device, Search search) {
  const T nothing;
  check(cudaMemcpy(on_device, &nothing, sizeof nothing, cudaMemcpyHostToDevice), "starting a search");
  search(on_device);
  return fetch(on_device);
}

void CudaData::fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) {
  cuda::fill_lines(begin, bytes, seed, set);
  check(cudaStreamSynchronize(nullptr), "filling guard words or poison");
}

device::LineDamage CudaData::lines_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed) {
  const Found f = found(found_.get(), [&](Found* to) { find_damage(begin, bytes, seed, to); });
  if (f.count == 0) return {};
  return {.count = f.count, .first = f.first, .last = f.last};
}

void CudaData::poison(const TensorView& tensor, std::uint64_t seed) {
  fill_lines(tensor.data, tensor.bytes(), seed, device::poison_bits(tensor.dtype));
}

std::uint64_t CudaData::poison_left(const TensorView& tensor, std::uint64_t seed) {
  const std::size_t element = size_of(tensor.dtype);
  const std::size_t piece = device::poison_is_nan(tensor.dtype) ? element : 8;
  const Found f = found(found_.get(), [&](Found* to) {
    find_poison(tensor.data, tensor.bytes(), piece, seed, device::poison_bits(tensor.dtype), to);
  });
  return f.count * (piece / element);
}

std::uint64_t CudaData::checksum(const std::byte* begin, std::size_t bytes) {
  return bytes + found(found_.get(), [&](Found* to) { add_contents(begin, bytes, to); }).sum;
}

bool CudaData::draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) {
  if (!cuda::draw(form, stream, tensor)) return false;
  check(cudaStreamSynchronize(nullptr), "drawing inputs");
  return true;
}

void CudaData::compare(const TensorSpec& spec, const TensorView& got, const device::WideOnDevice& want,
                       CheckOutcome& outcome) {
  const Comparison c =
      found(comparison_.get(), [&](Comparison* to) { cuda::compare(got, want, spec.tolerance, to); });
  outcome.worst = std::max(outcome.worst, std::bit_cast<double>(c.worst_bits));
  if (c.wrong == 0) return;
  if (outcome.wrong == 0) {
    const double expected = fetch(want.value + c.first);
    const double scale = want.scale != nullptr ? fetch(want.scale + c.first) : std::fabs(expected);
    const double allowed = spec.tolerance.bitwise ? 0 : spec.tolerance.allowed(expected, scale);
    outcome.first = describe_wrong(spec, static_cast<std::int64_t>(c.first), fetch_element(got, c.first),
                                   expected, allowed);
  }
  outcome.wrong += c.wrong;
}

device::Looks CudaData::looks_of(const TensorView& tensor) {
  const Seen seen = found(seen_.get(), [&](Seen* to) { look(tensor, to); });
  return {.constant = tensor.size >= 2 && seen.differs == 0, .not_finite = seen.not_finite != 0};
}

}  // namespace aisp::cuda
