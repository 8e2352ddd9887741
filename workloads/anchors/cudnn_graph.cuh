// SPDX-License-Identifier: Apache-2.0
/// \file
/// cuDNN's graphs, with the library loaded at run time: descriptors that end with their owner, and operations
/// put together one by one.
///
///   Graph graph;
///   graph.multiply(q, k, scores);  graph.each(CUDNN_POINTWISE_EXP, less, nullptr, power);
#pragma once

#include <cudnn.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace aisp::anchors {

inline std::string cudnn_soname() { return "libcudnn.so." + std::to_string(CUDNN_MAJOR); }

inline void* open_cudnn_library() {
  std::vector<std::string> folders = {"", "/usr/local/cuda/lib64/"};
  for (const char* home : {"CUDNN_HOME", "CUDA_HOME"}) {
    if (const char* folder = std::getenv(home)) {
      folders.push_back(std::string(folder) + "/lib/");
      folders.push_back(std::string(folder) + "/lib64/");
    }
  }
  for (const std::string& folder : folders) {
    if (void* library = dlopen((folder + cudnn_soname()).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}
inline void* cudnn_library() {
  static void* const opened = open_cudnn_library();
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
  function = reinterpret_cast<Function>(dlsym(cudnn_library(), name));
  if (function == nullptr) throw std::runtime_error(cudnn_soname() + " has no " + name);
}

inline const Functions& cudnn() {
  static const Functions functions = [] {
    if (cudnn_library() == nullptr) throw std::runtime_error(cudnn_soname() + " was not found");
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

inline void check(cudnnStatus_t status, const char* doing) {
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

constexpr std::int64_t kFirstOwn = 100;  ///< tensors that the caller does not name are numbered from here

/// Operations in the order in which the library's fused kernels expect them.
class Graph {
 public:
  /// Strides of a dense row-major tensor unless given.
  Descriptor& tensor(cudnnDataType_t type, const Extents& extents, std::int64_t uid = 0, Extents strides = {},
                     bool by_value = false) {
    if (strides.empty()) {
      strides.assign(4, 1);
      for (std::size_t i = 3; i > 0; --i) strides[i - 1] = strides[i] * extents[i];
    }
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
  std::int64_t next_ = kFirstOwn;
};

}  // namespace aisp::anchors
