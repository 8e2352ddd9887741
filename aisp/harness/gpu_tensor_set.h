// SPDX-License-Identifier: Apache-2.0
/// \file
/// One set of a problem's tensors in a GPU's memory, owned by the harness. The same promises as TensorSet,
/// and kept where the tensors are: inputs from secret streams, outputs poisoned before each call, guard words
/// around every buffer.
///
///   GpuTensorSet set(gpu, workload, problem, params);
///   set.draw(seed, round, 0, family);
///   set.arm(nonce);
///   variant.run(...);
///   Damage damage = set.inspect();
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "aisp/core/workload.h"
#include "aisp/device/gpu/gpu.h"
#include "aisp/harness/seed.h"
#include "aisp/harness/tensor_set.h"

namespace aisp::harness {

/// Device memory, or host memory that the device sees, which frees itself.
class GpuBlock {
 public:
  GpuBlock(device::GpuMemory& memory, std::size_t bytes, Place place = Place::device)
      : memory_(&memory),
        place_(place),
        data_(place == Place::device ? memory.allocate(bytes) : memory.allocate_on_host(bytes)),
        bytes_(bytes) {}
  ~GpuBlock() {
    if (data_ == nullptr) return;
    place_ == Place::device ? memory_->release(data_) : memory_->release_on_host(data_);
  }
  GpuBlock(GpuBlock&& other) noexcept
      : memory_(other.memory_),
        place_(other.place_),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(other.bytes_) {}
  GpuBlock(const GpuBlock&) = delete;
  GpuBlock& operator=(const GpuBlock&) = delete;
  GpuBlock& operator=(GpuBlock&&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Host memory only: whether the device sees it.
  void set_pinned(bool pinned) { pinned ? memory_->pin(data_) : memory_->unpin(data_); }

 private:
  device::GpuMemory* memory_;
  Place place_;
  std::byte* data_;
  std::size_t bytes_;
};

class GpuTensorSet {
 public:
  GpuTensorSet(device::Gpu& gpu, const Workload& workload, const Problem& problem, const Params& params);

  void draw(const Seed& seed, int round, int set, int family);
  /// Fresh poison in all outputs, fresh guard words around every tensor.
  void arm(std::uint64_t nonce);
  Damage inspect() const;
  /// Of tensors on the host: pinned, as they must be for everything else here, or the host's alone.
  void set_pinned(bool pinned);
  bool pinned() const { return pinned_; }
  /// Reads everything, which leaves in the cache what it can hold.
  void touch() const;
  std::uint64_t output_checksum() const;
  std::uint64_t input_checksum() const { return drawn_checksum_; }

  std::span<const TensorView> inputs() const { return inputs_; }
  std::span<const TensorView> outputs() const { return outputs_; }

 private:
  struct Tensor {
    const TensorSpec* spec;
    GpuBlock block;
    TensorView view;
    std::uint64_t checksum = 0;
    std::uint64_t poison = 0;
    std::uint64_t guard = 0;

    std::byte* before() const { return block.data(); }
    std::byte* behind() const { return view.data + view.bytes(); }
    std::size_t behind_bytes() const {
      return static_cast<std::size_t>(block.data() + block.bytes() - behind());
    }
  };
  void draw_one(Tensor& tensor, const Distribution& distribution, std::uint64_t stream, int family);

  device::Gpu& gpu_;
  const Workload& workload_;
  const Params& params_;
  std::vector<Tensor> tensors_;
  std::vector<TensorView> inputs_, outputs_;
  std::uint64_t drawn_checksum_ = 0;
  bool pinned_ = true;
};

}  // namespace aisp::harness
