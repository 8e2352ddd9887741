// SPDX-License-Identifier: Apache-2.0
// The kernels of the last rungs on fp8 and tf32, to the last bit: what is of the type alone is the
// instruction, how far a step reaches along k, and how sums are stored.
#include "labs/hopper_matmul/block_tiles.cuh"
#include "labs/hopper_matmul/in_bands.cuh"
#include "labs/hopper_matmul/reference.cuh"
#include "labs/hopper_matmul/shared_tile.cuh"
#include "tests/hopper/product_check.cuh"

namespace aisp::hopper_test {
namespace {

using hopper_matmul::Fp8Product;
using hopper_matmul::Tf32Product;

constexpr Size kSizes[] = {{128, 256, 128},  {1, 16, 16},       {100, 80, 48},     {257, 272, 208},
                           {384, 528, 1008}, {4136, 2064, 144}, {1024, 1024, 1024}};
constexpr Size kUnaligned{33, 35, 37};

hopper_matmul::Unscaled scales_of(const OnDevice<float>&, const Tf32Product*) { return {}; }
hopper_matmul::Scales scales_of(const OnDevice<float>& values, const Fp8Product*) {
  return {values.data(), values.data() + 1};
}

template <class Problem>
Item item(std::string name, Multiply<Problem> multiply, bool any_size) {
  return {std::move(name), [multiply, any_size](Report& report) {
            OnDevice<float> values(2);
            values.host = {0.5f, 4};  // powers of two: nothing is rounded
            values.upload();
            const auto scales = scales_of(values, static_cast<const Problem*>(nullptr));
            for (const Size& size : kSizes) test_size(report, multiply, size, scales);
            if (any_size) test_size(report, multiply, kUnaligned, scales);
          }};
}

/// The device's reference is as exact on whole numbers: its value, stored as the product's type, and nothing
/// but non-negative whole numbers for the magnitude.
template <class Problem>
void by_reference(const Problem& p, cudaStream_t stream);

template <class Out>
__global__ void narrow(const double* value, const double* scale, Out* d, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const bool plausible = scale[i] >= fabs(value[i]) && scale[i] == floor(scale[i]);
  d[i] = static_cast<Out>(plausible ? static_cast<float>(value[i]) : -12345.0f);
}

template <class Problem>
void by_reference(const Problem& p, cudaStream_t stream) {
  const std::int64_t count = std::int64_t{p.m} * p.n;
  const auto wide = gpu::memory_for<double>(static_cast<std::size_t>(2 * count));
  launch_in_double(p, wide.get(), wide.get() + count, stream);
  narrow<<<gpu::blocks_for(count, 256), 256, 0, stream>>>(wide.get(), wide.get() + count, p.d, count);
  gpu::check(cudaDeviceSynchronize(), "multiplying by reference");
}

template <class Problem>
std::vector<Item> items_of(const std::string& type) {
  const auto in_bands = [](int columns) {
    return [columns](const Problem& p, cudaStream_t stream) {
      hopper_matmul::launch_in_bands(p, columns, stream);
    };
  };
  return {item<Problem>(type + ": reference", by_reference<Problem>, true),
          item<Problem>(type + ": shared", hopper_matmul::launch_shared<Problem>, true),
          item<Problem>(type + ": tiles of 128 columns",
                        hopper_matmul::launch_block_tiles<hopper_matmul::Shape<128, 4, 1, Problem>>, false),
          item<Problem>(type + ": tiles of 256 columns",
                        hopper_matmul::launch_block_tiles<hopper_matmul::Shape<256, 4, 1, Problem>>, false),
          item<Problem>(type + ": in bands, 256 columns", in_bands(256), false),
          item<Problem>(type + ": in bands, 128 columns", in_bands(128), false),
          item<Problem>(type + ": in bands, 64 columns", in_bands(64), false)};
}

}  // namespace

std::vector<Item> type_items() {
  std::vector<Item> items = items_of<Fp8Product>("fp8");
  for (const Item& more : items_of<Tf32Product>("tf32")) items.push_back(more);
  return items;
}

}  // namespace aisp::hopper_test
