// SPDX-License-Identifier: Apache-2.0
#include "workloads/anchors/cudnn_attention.h"

#if __has_include(<cudnn.h>)

#include <cudnn.h>
#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "workloads/cuda_launch.cuh"

namespace aisp::anchors {
namespace {

std::string soname() { return "libcudnn.so." + std::to_string(CUDNN_MAJOR); }

void* open_library() {
  std::vector<std::string> folders = {"", "/usr/local/cuda/lib64/"};
  for (const char* home : {"CUDNN_HOME", "CUDA_HOME"}) {
    if (const char* folder = std::getenv(home)) {
      folders.push_back(std::string(folder) + "/lib/");
      folders.push_back(std::string(folder) + "/lib64/");
    }
  }
  for (const std::string& folder : folders) {
    if (void* library = dlopen((folder + soname()).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}
void* library() {
  static void* const opened = open_library();
  return opened;
}

struct Functions {
  decltype(&cudnnCreate) create;
  decltype(&cudnnDestroy) destroy;
  decltype(&cudnnSetStream) set_stream;
  decltype(&cudnnGetErrorString) error_string;
  decltype(&cudnnGetLastErrorString) last_error;
  decltype(&cudnnBackendCreateDescriptor) make;
  decltype(&cudnnBackendDestroyDescriptor) drop;
  decltype(&cudnnBackendSetAttribute) set;
  decltype(&cudnnBackendGetAttribute) get;
  decltype(&cudnnBackendFinalize) finalize;
  decltype(&cudnnBackendExecute) execute;
};

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library(), name));
  if (function == nullptr) throw std::runtime_error(soname() + " has no " + name);
}

const Functions& cudnn() {
  static const Functions functions = [] {
    if (const auto missing = cudnn_missing()) throw std::runtime_error(*missing);
    Functions f{};
    find(f.create, "cudnnCreate");
    find(f.destroy, "cudnnDestroy");
    find(f.set_stream, "cudnnSetStream");
    find(f.error_string, "cudnnGetErrorString");
    find(f.last_error, "cudnnGetLastErrorString");
    find(f.make, "cudnnBackendCreateDescriptor");
    find(f.drop, "cudnnBackendDestroyDescriptor");
    find(f.set, "cudnnBackendSetAttribute");
    find(f.get, "cudnnBackendGetAttribute");
    find(f.finalize, "cudnnBackendFinalize");
    find(f.execute, "cudnnBackendExecute");
    return f;
  }();
  return functions;
}

void check(cudnnStatus_t status, const char* doing) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  char words[512] = {};
  cudnn().last_error(words, sizeof words);
  throw std::runtime_error(std::string("cuDNN, ") + doing + ": " + cudnn().error_string(status) + " " +
                           words);
}

/// One of the library's descriptors.
class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type) {
    check(cudnn().make(type, &descriptor_), "making a descriptor");
  }
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, nullptr)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (descriptor_ != nullptr) cudnn().drop(descriptor_);
  }
  template <class T>
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                  const std::vector<T>& values) {
    check(cudnn().set(descriptor_, name, type, static_cast<std::int64_t>(values.size()), values.data()),
          ("setting attribute " + std::to_string(name)).c_str());
    return *this;
  }
  template <class T>
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, T value) {
    check(cudnn().set(descriptor_, name, type, 1, &value),
          ("setting attribute " + std::to_string(name)).c_str());
    return *this;
  }
  Descriptor& set(cudnnBackendAttributeName_t name, const Descriptor& value) {
    return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, value.descriptor_);
  }
  Descriptor& finalize(const char* doing) {
    check(cudnn().finalize(descriptor_), doing);
    return *this;
  }
  cudnnBackendDescriptor_t get() const { return descriptor_; }

 private:
  cudnnBackendDescriptor_t descriptor_ = nullptr;
};

using Extents = std::vector<std::int64_t>;

/// Names of what the caller passes; intermediates are numbered from kFirst on.
enum Uid : std::int64_t { kQ = 1, kK, kV, kO, kScale, kHidden, kFirst };

/// Operations in the order in which the library's fused kernels expect them.
class Graph {
 public:
  /// Strides of a dense row-major tensor unless given.
  Descriptor& tensor(cudnnDataType_t type, const Extents& extents, std::int64_t uid = 0,
                     Extents strides = {}) {
    if (strides.empty()) {
      strides.assign(4, 1);
      for (std::size_t i = 3; i > 0; --i) strides[i - 1] = strides[i] * extents[i];
    }
    const bool by_value = uid == kScale || uid == kHidden;
    Descriptor& made = *tensors_.emplace_back(std::make_unique<Descriptor>(CUDNN_BACKEND_TENSOR_DESCRIPTOR));
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type)
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, extents)
        .set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides)
        .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, uid != 0 ? uid : next_++)
        .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, std::int64_t{16})
        .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, uid == 0)
        .set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, by_value);
    return made.finalize("describing a tensor");
  }
  Descriptor& multiply(const Descriptor& a, const Descriptor& b, Descriptor& c) {
    Descriptor how(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT).finalize("a product");
    add(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
        .set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a)
        .set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b)
        .set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c)
        .set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how)
        .finalize("adding a product");
    return c;
  }
  Descriptor& reduce(cudnnReduceTensorOp_t operation, const Descriptor& x, Descriptor& y) {
    Descriptor how(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, operation)
        .finalize("a reduction");
    add(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR)
        .set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x)
        .set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y)
        .set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how)
        .finalize("adding a reduction");
    return y;
  }
  /// y from x, and from b and a mask where the mode has them.
  Descriptor& each(cudnnPointwiseMode_t mode, const Descriptor& x, const Descriptor* b, Descriptor& y,
                   cudnnDataType_t math = CUDNN_DATA_FLOAT, std::int64_t axis = -1,
                   const Descriptor* mask = nullptr) {
    Descriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
        .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, math);
    if (axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, axis);
    how.finalize("a pointwise operation");
    Descriptor& made = add(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR)
                           .set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how)
                           .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x)
                           .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    if (b != nullptr) made.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
    if (mask != nullptr) made.set(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, *mask);
    made.finalize("adding a pointwise operation");
    return y;
  }
  std::vector<cudnnBackendDescriptor_t> operations() const {
    std::vector<cudnnBackendDescriptor_t> all;
    for (const auto& operation : operations_) all.push_back(operation->get());
    return all;
  }

 private:
  Descriptor& add(cudnnBackendDescriptorType_t type) {
    return *operations_.emplace_back(std::make_unique<Descriptor>(type));
  }
  std::vector<std::unique_ptr<Descriptor>> tensors_, operations_;
  std::int64_t next_ = kFirst;
};

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
  const Descriptor& scale = g.tensor(CUDNN_DATA_FLOAT, one, kScale);
  const Descriptor* scores = &g.multiply(q, k, wide(all));
  scores = &g.each(CUDNN_POINTWISE_MUL, *scores, &scale, wide(all));
  if (n.causal) {
    const auto whole = [&]() -> Descriptor& { return g.tensor(CUDNN_DATA_INT32, all); };
    const Descriptor& row = g.each(CUDNN_POINTWISE_GEN_INDEX, *scores, nullptr, whole(), CUDNN_DATA_INT32, 2);
    const Descriptor& column =
        g.each(CUDNN_POINTWISE_GEN_INDEX, *scores, nullptr, whole(), CUDNN_DATA_INT32, 3);
    const Descriptor& seen =
        g.each(CUDNN_POINTWISE_CMP_GE, row, &column, g.tensor(CUDNN_DATA_BOOLEAN, all), CUDNN_DATA_BOOLEAN);
    const Descriptor& hidden = g.tensor(CUDNN_DATA_FLOAT, one, kHidden);
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
  if (library() != nullptr) return std::nullopt;
  return soname() + " was not found where the loader looks, in /usr/local/cuda, CUDNN_HOME or CUDA_HOME";
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
