// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_tensor_set.h"

#include "aisp/core/rng.h"

namespace aisp::harness {
namespace {

// On both sides of a tensor. A multiple of what allocations are aligned to, so that tensors are as well.
constexpr std::size_t kGuardBytes = 4096;

std::string broken(const device::LineDamage& damage, const char* where) {
  return std::to_string(damage.count) + (damage.count == 1 ? " byte " : " bytes ") + where + " changed";
}

}  // namespace

GpuTensorSet::GpuTensorSet(device::Gpu& gpu, const Workload& workload, const Problem& problem,
                           const Params& params)
    : gpu_(gpu), workload_(workload), params_(params) {
  tensors_.reserve(problem.tensors.size());
  for (const TensorSpec& spec : problem.tensors) {
    GpuBlock block(gpu.memory(), spec.bytes() + 2 * kGuardBytes, spec.place);
    const TensorView view{block.data() + kGuardBytes, spec.dtype, spec.shape, spec.size()};
    tensors_.push_back({.spec = &spec, .block = std::move(block), .view = view});
    (spec.role == Role::output ? outputs_ : inputs_).push_back(view);
  }
}

void GpuTensorSet::draw(const Seed& seed, int round, int set, int family) {
  drawn_checksum_ = 0;
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    Tensor& tensor = tensors_[t];
    if (tensor.spec->role == Role::output) continue;
    const auto& families = tensor.spec->families;
    draw_one(tensor, families[static_cast<std::size_t>(family) % families.size()],
             seed.stream("input", round, set, static_cast<std::int64_t>(t)), family);
    tensor.checksum = gpu_.data().checksum(tensor.view.data, tensor.view.bytes());
    drawn_checksum_ = random_word(drawn_checksum_ ^ tensor.checksum, t);
  }
}

/// Where the device can draw it, there; else on the host, which takes far longer for large tensors.
void GpuTensorSet::draw_one(Tensor& tensor, const Distribution& distribution, std::uint64_t stream,
                            int family) {
  if (gpu_.data().draw(distribution.form, stream, tensor.view)) return;
  const auto own = workload_.device_draws.find(distribution.name);
  if (own != workload_.device_draws.end()) {
    gpu_.timing().run([&](void* queue) { own->second({params_, tensor.view, stream, queue}); });
    return;
  }
  std::vector<std::byte> bytes(tensor.view.bytes());
  TensorView on_host = tensor.view;
  on_host.data = bytes.data();
  Rng rng(stream);
  distribution.draw({params_, {}, family}, rng, on_host);
  gpu_.memory().upload(tensor.view.data, bytes.data(), bytes.size());
}

void GpuTensorSet::arm(std::uint64_t nonce) {
  device::GpuData& data = gpu_.data();
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    Tensor& tensor = tensors_[t];
    tensor.guard = random_word(nonce, 2 * t);
    data.fill_lines(tensor.before(), kGuardBytes, tensor.guard, 0);
    data.fill_lines(tensor.behind(), tensor.behind_bytes(), ~tensor.guard, 0);
    if (tensor.spec->role != Role::output) continue;
    tensor.poison = random_word(nonce, 2 * t + 1);
    data.poison(tensor.view, tensor.poison);
  }
}

Damage GpuTensorSet::inspect() const {
  Damage damage;
  device::GpuData& data = gpu_.data();
  for (const Tensor& tensor : tensors_) {
    const auto note = [&](const device::LineDamage& found, const char* where) {
      if (found.count > 0 && !damage.out_of_bounds)
        damage.out_of_bounds = tensor.spec->name + ": " + broken(found, where);
    };
    note(data.lines_damage(tensor.before(), kGuardBytes, tensor.guard), "before the start");
    note(data.lines_damage(tensor.behind(), tensor.behind_bytes(), ~tensor.guard), "after the end");
    if (tensor.spec->role == Role::output) {
      damage.poison_left += data.poison_left(tensor.view, tensor.poison);
    } else if (data.checksum(tensor.view.data, tensor.view.bytes()) != tensor.checksum &&
               !damage.inputs_changed) {
      damage.inputs_changed = tensor.spec->name;
    }
  }
  return damage;
}

void GpuTensorSet::set_pinned(bool pinned) {
  pinned_ = pinned;
  for (Tensor& tensor : tensors_) {
    if (tensor.spec->place == Place::host) tensor.block.set_pinned(pinned);
  }
}

void GpuTensorSet::touch() const {
  for (const Tensor& tensor : tensors_)
    static_cast<void>(gpu_.data().checksum(tensor.view.data, tensor.view.bytes()));
}

std::uint64_t GpuTensorSet::output_checksum() const {
  std::uint64_t sum = 0;
  for (const TensorView& output : outputs_)
    sum = random_word(sum ^ gpu_.data().checksum(output.data, output.bytes()), 0);
  return sum;
}

}  // namespace aisp::harness
