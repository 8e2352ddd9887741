// SPDX-License-Identifier: Apache-2.0
#include "labs/hopper_matmul/cublaslt.cuh"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "labs/hopper_matmul/cublaslt_library.cuh"

namespace aisp::hopper_matmul {
namespace {

/// Values between -1 and 1: zeros would draw less power than data does, and another algorithm might win.
template <class T>
__global__ void fill(T* values, std::int64_t count, unsigned seed) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    auto x = static_cast<unsigned>(i) * 2654435761u + seed;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    values[i] = static_cast<T>(static_cast<float>(x >> 8) * 0x1p-23f - 1);
  }
}

void fill_inputs(LibraryType type, std::byte* bytes, std::int64_t count, cudaStream_t stream) {
  if (type == LibraryType::bf16) fill<<<1024, 256, 0, stream>>>(reinterpret_cast<Bf16*>(bytes), count, 1);
  if (type == LibraryType::tf32) fill<<<1024, 256, 0, stream>>>(reinterpret_cast<float*>(bytes), count, 1);
  if (type == LibraryType::fp8) fill<<<1024, 256, 0, stream>>>(reinterpret_cast<E4m3*>(bytes), count, 1);
  gpu::check_launch("drawing values to search with");
}

cudaDataType_t input_type(LibraryType type) {
  return type == LibraryType::bf16 ? CUDA_R_16BF : type == LibraryType::tf32 ? CUDA_R_32F : CUDA_R_8F_E4M3;
}
cudaDataType_t output_type(LibraryType type) { return type == LibraryType::tf32 ? CUDA_R_32F : CUDA_R_16BF; }
std::size_t input_bytes(LibraryType type) {
  return type == LibraryType::bf16 ? 2 : type == LibraryType::tf32 ? 4 : 1;
}
std::size_t output_bytes(LibraryType type) { return type == LibraryType::tf32 ? 4 : 2; }

/// A stream and two events, for as long as the search takes.
class Stopwatch {
 public:
  Stopwatch() {
    gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream to search on");
    gpu::check(cudaEventCreate(&begin_), "making an event");
    gpu::check(cudaEventCreate(&end_), "making an event");
  }
  ~Stopwatch() {
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
    static_cast<void>(cudaStreamDestroy(stream));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  template <class Work>
  float milliseconds(Work work) {
    gpu::check(cudaEventRecord(begin_, stream), "timing an algorithm");
    work();
    gpu::check(cudaEventRecord(end_, stream), "timing an algorithm");
    gpu::check(cudaEventSynchronize(end_), "timing an algorithm");
    float time = 0;
    gpu::check(cudaEventElapsedTime(&time, begin_, end_), "timing an algorithm");
    return time;
  }

  cudaStream_t stream = nullptr;

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

cublasLtMatrixLayout_t layout(const LibraryFunctions& library, cudaDataType_t type, int rows, int columns) {
  cublasLtMatrixLayout_t made = nullptr;
  library.check(library.layout_create(&made, type, static_cast<std::uint64_t>(rows),
                                      static_cast<std::uint64_t>(columns), rows),
                "describing a matrix to cuBLASLt");
  return made;
}

/// A candidate over all sets of tensors.
struct Trial {
  std::size_t candidate;
  Recorded recorded;
  float least = std::numeric_limits<float>::infinity();
};

}  // namespace

LibraryProduct::LibraryProduct(LibraryType type, int m, int n, int k)
    : library_(cublaslt()),
      type_(type),
      workspace_(gpu::memory_for<std::byte>(kWorkspaceBytes)),
      one_(gpu::memory_for<float>(1)) {
  const float one = 1;
  gpu::check(cudaMemcpy(one_.get(), &one, sizeof one, cudaMemcpyHostToDevice), "setting a scale");
  library_.check(library_.create(&handle_), "starting cuBLASLt");
  describe(type, m, n, k);
  search(m, n, k);
}

/// The library counts down columns, so our rows are its columns, and D's transpose, B A^T, is what it
/// computes: B^T comes as stored, k x n, and is asked for transposed; A^T comes as stored, k x m.
void LibraryProduct::describe(LibraryType type, int m, int n, int k) {
  const auto compute = type == LibraryType::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  library_.check(library_.product_create(&product_, compute, CUDA_R_32F), "describing a product");
  const cublasOperation_t transposed = CUBLAS_OP_T;
  library_.check(library_.product_set(product_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
                 "asking cuBLASLt for a transposed input");
  if (type == LibraryType::fp8) {
    const std::int8_t fast = 1;
    library_.check(library_.product_set(product_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast),
                   "asking cuBLASLt for sums as the tensor cores keep them");
    set_scales(one_.get(), one_.get());  // what it proposes depends on there being scales
  }
  b_ = layout(library_, input_type(type), k, n);
  a_ = layout(library_, input_type(type), k, m);
  d_ = layout(library_, output_type(type), n, m);
}

LibraryProduct::~LibraryProduct() {
  for (cublasLtMatrixLayout_t layout : {a_, b_, d_}) static_cast<void>(library_.layout_destroy(layout));
  static_cast<void>(library_.product_destroy(product_));
  static_cast<void>(library_.destroy(handle_));
}

LibraryProduct::Candidates LibraryProduct::candidates() const {
  cublasLtMatmulPreference_t wish = nullptr;
  library_.check(library_.preference_create(&wish), "describing a wish to cuBLASLt");
  Candidates found;
  const int most = static_cast<int>(found.each.size());
  int count = 0;
  cublasStatus_t status = library_.preference_set(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                  &kWorkspaceBytes, sizeof kWorkspaceBytes);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = library_.heuristic(handle_, product_, b_, a_, d_, d_, wish, most, found.each.data(), &count);
  static_cast<void>(library_.preference_destroy(wish));
  library_.check(status, "asking cuBLASLt for algorithms");
  for (int i = 0; i < count; ++i) {
    const auto& result = found.each[static_cast<std::size_t>(i)];
    if (result.state == CUBLAS_STATUS_SUCCESS) found.each[found.count++] = result;
  }
  if (found.count == 0) throw std::runtime_error("cuBLASLt proposes no algorithm for this size");
  return found;
}

/// Its first input is our second.
void LibraryProduct::set_scales(const float* of_a, const float* of_b) const {
  library_.check(library_.product_set(product_, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &of_b, sizeof of_b),
                 "giving cuBLASLt a scale");
  library_.check(library_.product_set(product_, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &of_a, sizeof of_a),
                 "giving cuBLASLt a scale");
}

void LibraryProduct::call(const cublasLtMatmulAlgo_t& algorithm, const Operands& p,
                          cudaStream_t stream) const {
  if (type_ == LibraryType::fp8) set_scales(p.scale_a, p.scale_b);
  const float one = 1, zero = 0;
  library_.check(library_.multiply(handle_, product_, &one, p.b, b_, p.a, a_, &zero, p.d, d_, p.d, d_,
                                   &algorithm, workspace_.get(), kWorkspaceBytes, stream),
                 "multiplying by cuBLASLt");
}

void LibraryProduct::run(const Operands& operands, cudaStream_t stream) {
  if (is_recording(stream)) return call(algorithm_, operands, stream);  // a recording takes kernels, no other
  auto found = recorded_.find(operands);
  if (found == recorded_.end()) {
    Recorded recorded([&](cudaStream_t own) { call(algorithm_, operands, own); });
    found = recorded_.emplace(operands, std::move(recorded)).first;
  }
  found->second.launch(stream);
}

/// Each candidate recorded over enough sets of tensors that none finds its inputs in the cache; once to load
/// it, then in turns, so that none has the coolest chip. The least time counts.
void LibraryProduct::search(int m, int n, int k) {
  const auto all = candidates();
  const std::int64_t of_a = std::int64_t{m} * k, of_b = std::int64_t{n} * k;
  const std::size_t inputs = static_cast<std::size_t>(of_a + of_b) * input_bytes(type_);
  const std::size_t bytes =
      inputs + static_cast<std::size_t>(m) * static_cast<std::size_t>(n) * output_bytes(type_);
  const std::size_t each = (bytes + 255) / 256 * 256, sets = std::max<std::size_t>(1, kSearchBytes / each);
  const auto memory = gpu::memory_for<std::byte>(sets * each);
  Stopwatch watch;
  for (std::size_t s = 0; s < sets; ++s)
    fill_inputs(type_, memory.get() + s * each, of_a + of_b, watch.stream);
  const auto over_all_sets = [&](const cublasLtMatmulAlgo_t& algorithm, cudaStream_t stream) {
    for (std::size_t s = 0; s < sets; ++s) {
      std::byte* a = memory.get() + s * each;
      call(algorithm,
           {a, a + static_cast<std::size_t>(of_a) * input_bytes(type_), a + inputs, one_.get(), one_.get()},
           stream);
    }
  };
  std::vector<Trial> trials;
  std::string refused;
  for (std::size_t i = 0; i < all.count; ++i) {
    try {  // what is proposed need not be possible after all
      trials.push_back({i, Recorded([&](cudaStream_t stream) { over_all_sets(all.each[i].algo, stream); })});
    } catch (const std::exception& error) {
      refused = error.what();
    }
  }
  if (trials.empty()) throw std::runtime_error(refused);
  constexpr int kTurns = 6;
  for (int turn = 0; turn <= kTurns; ++turn) {
    for (Trial& trial : trials) {
      const float time = watch.milliseconds([&] { trial.recorded.launch(watch.stream); });
      if (turn > 0) trial.least = std::min(trial.least, time);
    }
  }
  const auto best = std::ranges::min_element(trials, {}, &Trial::least);
  algorithm_ = all.each[best->candidate].algo;
  tried_ = trials.size();
}

std::string LibraryProduct::name() const {
  const auto number = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
    int value = -1;
    std::size_t written = 0;
    static_cast<void>(library_.algorithm_get(&algorithm_, attribute, &value, sizeof value, &written));
    return std::to_string(value);
  };
  return "algorithm " + number(CUBLASLT_ALGO_CONFIG_ID) + ", tile " + number(CUBLASLT_ALGO_CONFIG_TILE_ID) +
         ", stages " + number(CUBLASLT_ALGO_CONFIG_STAGES_ID) + ", best of " + std::to_string(tried_);
}

}  // namespace aisp::hopper_matmul
