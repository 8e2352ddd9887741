// SPDX-License-Identifier: Apache-2.0
#include "workloads/anchors/cudnn_attention.h"

#if __has_include(<cudnn.h>)

#include <cmath>
#include <limits>

#include "workloads/anchors/cudnn_graph.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::anchors {
namespace {

/// Names of what the caller passes.
enum Uid : std::int64_t { kQ = 1, kK, kV, kO, kScale, kHidden };

/// The definition, operation by operation; the library knows it as one kernel.
void define(Graph& g, const CudnnAttention::Size& n) {
  const Extents keys{n.batch, n.kv_heads, n.seq, n.dim}, turned{n.batch, n.kv_heads, n.dim, n.seq};
  const Extents all{n.batch, n.heads, n.seq, n.seq}, rows{n.batch, n.heads, n.seq, 1}, one{1, 1, 1, 1};
  const Extents queries{n.batch, n.heads, n.seq, n.dim};
  const auto wide = [&](const Extents& extents) -> Descriptor& {
    return g.tensor(CUDNN_DATA_FLOAT, extents);
  };
  const Descriptor& q = g.tensor(CUDNN_DATA_BFLOAT16, queries, kQ);
  const Descriptor& k =
      g.tensor(CUDNN_DATA_BFLOAT16, turned, kK, {n.kv_heads * n.seq * n.dim, n.seq * n.dim, 1, n.dim});
  const Descriptor& scale = g.tensor(CUDNN_DATA_FLOAT, one, kScale, {}, true);
  const Descriptor* scores = &g.multiply(q, k, wide(all));
  scores = &g.each(CUDNN_POINTWISE_MUL, *scores, &scale, wide(all));
  if (n.causal) {
    const auto whole = [&]() -> Descriptor& { return g.tensor(CUDNN_DATA_INT32, all); };
    const Descriptor& row = g.each(CUDNN_POINTWISE_GEN_INDEX, *scores, nullptr, whole(), CUDNN_DATA_INT32, 2);
    const Descriptor& column =
        g.each(CUDNN_POINTWISE_GEN_INDEX, *scores, nullptr, whole(), CUDNN_DATA_INT32, 3);
    const Descriptor& seen =
        g.each(CUDNN_POINTWISE_CMP_GE, row, &column, g.tensor(CUDNN_DATA_BOOLEAN, all), CUDNN_DATA_BOOLEAN);
    const Descriptor& hidden = g.tensor(CUDNN_DATA_FLOAT, one, kHidden, {}, true);
    scores = &g.each(CUDNN_POINTWISE_BINARY_SELECT, *scores, &hidden, wide(all), CUDNN_DATA_FLOAT, -1, &seen);
  }
  const Descriptor& max = g.reduce(CUDNN_REDUCE_TENSOR_MAX, *scores, wide(rows));
  const Descriptor& less = g.each(CUDNN_POINTWISE_SUB, *scores, &max, wide(all));
  const Descriptor& power = g.each(CUDNN_POINTWISE_EXP, less, nullptr, wide(all));
  const Descriptor& sum = g.reduce(CUDNN_REDUCE_TENSOR_ADD, power, wide(rows));
  // Nobody reads the logarithm of the sum; the pattern has it all the same.
  const Descriptor& log = g.each(CUDNN_POINTWISE_LOG, sum, nullptr, wide(rows));
  g.each(CUDNN_POINTWISE_ADD, max, &log, wide(rows));
  const Descriptor& weights = g.each(CUDNN_POINTWISE_DIV, power, &sum, g.tensor(CUDNN_DATA_BFLOAT16, all));
  g.multiply(weights, g.tensor(CUDNN_DATA_BFLOAT16, keys, kV), g.tensor(CUDNN_DATA_BFLOAT16, queries, kO));
}

}  // namespace

struct CudnnAttention::Plan {
  cudnnHandle_t handle = nullptr;
  Graph graph;
  std::unique_ptr<Descriptor> whole, plan;
  std::vector<std::unique_ptr<Descriptor>> proposals;
  gpu::Memory<std::byte> workspace;
  bool causal = false;
  float scale = 1, hidden = std::numeric_limits<float>::lowest();

  ~Plan() {
    plan.reset();
    proposals.clear();
    whole.reset();
    graph = {};
    if (handle != nullptr) cudnn().destroy(handle);
  }
  void ask() {
    Descriptor heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, *whole)
        .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A)
        .finalize("asking for engines");
    constexpr std::int64_t kMost = 8;
    std::vector<cudnnBackendDescriptor_t> found;
    for (std::int64_t i = 0; i < kMost; ++i) {
      proposals.push_back(std::make_unique<Descriptor>(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
      found.push_back(proposals.back()->get());
    }
    std::int64_t count = 0;
    check(cudnn().get(heuristic.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, kMost,
                      &count, found.data()),
          "reading the engines proposed");
    proposals.resize(static_cast<std::size_t>(count));
  }
  /// The first proposal that can be built.
  void choose() {
    std::string why = "it proposes none";
    for (const auto& proposal : proposals) {
      try {
        auto built = std::make_unique<Descriptor>(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
        built->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle)
            .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, *proposal)
            .finalize("building a plan");
        plan = std::move(built);
        return;
      } catch (const std::exception& error) {
        why = error.what();
      }
    }
    throw std::runtime_error("cuDNN has no engine for this attention: " + why);
  }
};

CudnnAttention::CudnnAttention(const Size& size) : plan_(std::make_unique<Plan>()) {
  Plan& p = *plan_;
  p.causal = size.causal;
  p.scale = 1 / std::sqrt(static_cast<float>(size.dim));
  check(cudnn().create(&p.handle), "starting");
  define(p.graph, size);
  p.whole = std::make_unique<Descriptor>(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  p.whole->set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, p.handle)
      .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, p.graph.operations())
      .finalize("putting the operations together");
  p.ask();
  p.choose();
  std::int64_t bytes = 0, count = 0;
  check(cudnn().get(p.plan->get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count,
                    &bytes),
        "asking for the workspace");
  p.workspace = gpu::memory_for<std::byte>(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 16)));
}

CudnnAttention::~CudnnAttention() = default;

void CudnnAttention::run(const void* q, const void* k, const void* v, void* o, void* stream) {
  Plan& p = *plan_;
  check(cudnn().set_stream(p.handle, static_cast<cudaStream_t>(stream)), "choosing a stream");
  std::vector<std::int64_t> names{kQ, kK, kV, kO, kScale};
  std::vector<void*> tensors{const_cast<void*>(q), const_cast<void*>(k), const_cast<void*>(v), o, &p.scale};
  if (p.causal) {
    names.push_back(kHidden);
    tensors.push_back(&p.hidden);
  }
  Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, names)
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, tensors)
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, static_cast<void*>(p.workspace.get()))
      .finalize("naming the tensors");
  check(cudnn().execute(p.handle, p.plan->get(), pack.get()), "running a plan");
}

std::optional<std::string> cudnn_missing() {
  if (cudnn_library() != nullptr) return std::nullopt;
  return cudnn_soname() +
         " was not found where the loader looks, in /usr/local/cuda, CUDNN_HOME or CUDA_HOME";
}

}  // namespace aisp::anchors

#else  // the toolkit came without cuDNN's header

#include <stdexcept>

namespace aisp::anchors {

struct CudnnAttention::Plan {};
CudnnAttention::CudnnAttention(const Size&) { throw std::runtime_error(*cudnn_missing()); }
CudnnAttention::~CudnnAttention() = default;
void CudnnAttention::run(const void*, const void*, const void*, void*, void*) {}
std::optional<std::string> cudnn_missing() {
  return "this program was built where cudnn.h was not installed";
}

}  // namespace aisp::anchors

#endif
