// SPDX-License-Identifier: Apache-2.0
// The kernels of the workloads over rows (ch09/softmax, ch09/softmax_bf16, ch09/rmsnorm), a few windows at a
// time, for whoever measures them in turns with another program (beside_torch.py). Lines on stdin, answers on
// stdout; the program ends with its input.
//   open WORKLOAD ROWS COLS   ready copy: a copy can be asked for too
//   time CALLS WINDOWS        nanoseconds a call, of each window
//   copy CALLS WINDOWS        the same of the driver's copy of x to y: the bytes that must move
//   answer FILE               written: the bytes of the last row of the result
#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "aisp/core/call.h"
#include "aisp/core/registry.h"
#include "workloads/cuda_launch.cuh"

namespace {

using namespace aisp;

constexpr const char* kVariant = "one_read";
constexpr long long kWaitCycles = 400'000;  // longer than the host needs to queue a window

__global__ void wait_for_host(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

/// low + (high - low) * u, u even over [0, 1): what beside_torch.py makes by the same formula.
template <class T>
__global__ void fill(T* values, std::int64_t count, double low, double high) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const double u = static_cast<double>(i * 2654435761 & 0xffffffff) / 4294967296.0;
    values[i] = static_cast<T>(static_cast<float>(low + (high - low) * u));
  }
}

struct Event {
  Event() { gpu::check(cudaEventCreate(&handle), "making an event"); }
  ~Event() { static_cast<void>(cudaEventDestroy(handle)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t handle = nullptr;
};

class Rows {
 public:
  Rows(const std::string& workload, std::int64_t rows, std::int64_t cols)
      : params_({{"values", rows * cols}, {"cols", cols}}), cols_(cols) {
    const Workload* found = Registry::instance().find(workload, DeviceKind::cuda);
    if (found == nullptr) throw std::runtime_error("no workload " + workload);
    const auto variant = std::ranges::find(found->variants, std::string(kVariant), &Variant::name);
    if (variant == found->variants.end()) throw std::runtime_error(workload + " has no " + kVariant);
    variant_ = &*variant;
    if (variant_->unavailable) {
      if (const auto reason = variant_->unavailable(params_)) throw std::runtime_error(*reason);
    }
    problem_ = found->problem(params_);
    if (variant_->prepare) plan_ = variant_->prepare({params_, 1, ""});
    for (const TensorSpec& tensor : problem_.tensors) {
      const std::int64_t size = element_count(tensor.shape);
      memory_.push_back(gpu::memory_for<std::byte>(static_cast<std::size_t>(size) * size_of(tensor.dtype)));
      const TensorView view{memory_.back().get(), tensor.dtype, tensor.shape, size};
      const bool input = tensor.role == Role::input;
      (input ? inputs_ : outputs_).push_back(view);
      if (input) draw(view, inputs_.size() == 1);
    }
    queue();
    gpu::check(cudaDeviceSynchronize(), "a first call");
  }

  double rows_ns(int calls) {
    return window_ns(calls, [this] { queue(); });
  }
  /// The anchor of ch02/copy_width, in the same memory and the same kind of window.
  double copy_ns(int calls) {
    return window_ns(calls, [&x = inputs_.front(), &y = outputs_.front()] {
      gpu::check(cudaMemcpyAsync(y.data, x.data, static_cast<std::size_t>(x.size) * size_of(x.dtype),
                                 cudaMemcpyDeviceToDevice, nullptr),
                 "copying device memory");
    });
  }

  void write_last_row(const std::string& file) {
    queue();  // a copy may have been written over the answer
    const TensorView& y = outputs_.front();
    const std::size_t bytes = static_cast<std::size_t>(cols_) * size_of(y.dtype);
    std::vector<char> row(bytes);
    gpu::check(cudaMemcpy(row.data(), y.data + static_cast<std::size_t>(y.size) * size_of(y.dtype) - bytes,
                          bytes, cudaMemcpyDeviceToHost),
               "copying a row");
    std::ofstream(file, std::ios::binary).write(row.data(), static_cast<std::streamsize>(bytes));
  }

 private:
  template <class Queue>
  double window_ns(int calls, const Queue& queue_one) {
    wait_for_host<<<1, 1>>>(kWaitCycles);
    gpu::check_launch("making the device wait");
    gpu::check(cudaEventRecord(start_.handle), "recording an event");
    for (int i = 0; i < calls; ++i) queue_one();
    gpu::check(cudaEventRecord(stop_.handle), "recording an event");
    gpu::check(cudaDeviceSynchronize(), "waiting for a window");
    float milliseconds = 0;
    gpu::check(cudaEventElapsedTime(&milliseconds, start_.handle, stop_.handle), "reading events");
    return 1e6 * milliseconds / calls;
  }

  /// The first input is x, a second one the gain.
  static void draw(const TensorView& view, bool first) {
    const double low = first ? -4 : 0.5, high = first ? 4 : 1.5;
    if (view.dtype == DType::f32) {
      fill<<<1024, 256>>>(reinterpret_cast<float*>(view.data), view.size, low, high);
    } else {
      fill<<<1024, 256>>>(reinterpret_cast<__nv_bfloat16*>(view.data), view.size, low, high);
    }
    gpu::check_launch("drawing inputs");
  }
  void queue() {
    const auto& run = std::get<CallFunction>(variant_->run.code);
    run(Call({.params = &params_,
              .inputs = inputs_,
              .outputs = outputs_,
              .plan = plan_.get(),
              .stream = nullptr}));
  }

  Params params_;
  std::int64_t cols_;
  const Variant* variant_ = nullptr;
  Problem problem_;
  std::shared_ptr<void> plan_;
  std::vector<gpu::Memory<std::byte>> memory_;
  std::vector<TensorView> inputs_, outputs_;
  Event start_, stop_;
};

}  // namespace

int main() try {
  std::unique_ptr<Rows> rows;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "open") {
      std::string workload;
      std::int64_t count = 0, cols = 0;
      words >> workload >> count >> cols;
      rows.reset();
      rows = std::make_unique<Rows>(workload, count, cols);
      std::cout << "ready copy";
    } else if ((what == "time" || what == "copy") && rows) {
      int calls = 1, windows = 1;
      words >> calls >> windows;
      const auto window_ns = [&] { return what == "copy" ? rows->copy_ns(calls) : rows->rows_ns(calls); };
      window_ns();  // something else has had the device
      for (int i = 0; i < windows; ++i) std::cout << (i > 0 ? " " : "") << window_ns();
    } else if (what == "answer" && rows) {
      std::string file;
      words >> file;
      rows->write_last_row(file);
      std::cout << "written";
    } else {
      throw std::runtime_error("asked for '" + line + "'");
    }
    std::cout << std::endl;
  }
} catch (const std::exception& error) {
  std::cerr << "rows_turns: " << error.what() << "\n";
  return 1;
}
