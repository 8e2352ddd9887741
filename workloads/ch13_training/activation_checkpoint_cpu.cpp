// SPDX-License-Identifier: Apache-2.0
// Activation checkpointing                                                    chapter 13, training
// The idea:          keep every sqrt(L)-th activation and compute the others again when they are needed.
// What bounds it:    memory, the figure compared here. An activation is 4 batch width bytes: 256 KiB at
//                    1024 x 64. Keeping 36 layers takes 10 MB with the working buffers; 5 checkpoints and
//                    one segment of 6 take 3.5 MB, 65 % less. Arithmetic grows from 3 products per layer
//                    to at most 4: 0.9 to 1.2 Gflop.
// What to look for:  peak memory falls with the square root of the depth while time rises by less than a
//                    third. In training the room is spent on a larger batch or a longer sequence.
#include <utility>

#include "workloads/ch13_training/activation_checkpoint.h"

namespace aisp::activation_checkpoint {
namespace {

// ---- What the variants share: one layer, forward and backward -----------------------------------
using Buffer = std::vector<float>;

/// out[r][j] = sum_k a(r, k) * b[k][j], with a(r, k) = a[r * row + k * column]; four terms at a time, so that
/// out is not read and written for every one. Terms are added in the same order in every variant.
void product(const float* a, std::int64_t row, std::int64_t column, const float* b, float* out,
             std::int64_t rows, std::int64_t inner, std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r, a += row, out += width) {
    std::fill_n(out, width, 0.0f);
    std::int64_t k = 0;
    for (; k + 4 <= inner; k += 4) {
      const float a0 = a[k * column], a1 = a[(k + 1) * column], a2 = a[(k + 2) * column],
                  a3 = a[(k + 3) * column];
      const float *b0 = b + k * width, *b1 = b0 + width, *b2 = b1 + width, *b3 = b2 + width;
      for (std::int64_t j = 0; j < width; ++j)
        out[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
    }
    for (; k < inner; ++k) {
      for (std::int64_t j = 0; j < width; ++j) out[j] += a[k * column] * b[k * width + j];
    }
  }
}

class Network {
 public:
  explicit Network(const Call& call)
      : sizes_(call.params()),
        weights_(call.input<float>(kWeights).data),
        weight_gradient_(call.output<float>(kWeightGradient).data),
        gradient_(call.input<float>(kOutGradient).begin(), call.input<float>(kOutGradient).end()),
        dz_(sizes_.activation()),
        transposed_(sizes_.weights()) {}

  Buffer forward(std::int64_t layer, const float* h) const {
    Buffer next(sizes_.activation());
    product(h, sizes_.width, 1, weights_ + layer * sizes_.weights(), next.data(), sizes_.batch, sizes_.width,
            sizes_.width);
    for (float& z : next) z /= 1 + std::fabs(z);
    return next;
  }
  /// Takes the gradient from the output `next` of a layer to its input `h`, and leaves that of its weights.
  void backward(std::int64_t layer, const float* h, const Buffer& next) {
    const std::int64_t width = sizes_.width;
    const float* w = weights_ + layer * sizes_.weights();
    for (std::size_t i = 0; i < dz_.size(); ++i) {
      const float slope = 1 - std::fabs(next[i]);
      dz_[i] = gradient_[i] * slope * slope;
    }
    product(h, 1, width, dz_.data(), weight_gradient_ + layer * sizes_.weights(), width, sizes_.batch, width);
    for (std::int64_t k = 0; k < width; ++k) {
      for (std::int64_t j = 0; j < width; ++j) transposed_[j * width + k] = w[k * width + j];
    }
    product(dz_.data(), width, 1, transposed_.data(), gradient_.data(), sizes_.batch, width, width);
  }
  /// Layers [first, last): forward from h with every activation kept, then backward through them.
  void forward_and_backward(std::int64_t first, std::int64_t last, const float* h) {
    std::vector<Buffer> kept;
    kept.reserve(last - first);
    for (std::int64_t l = first; l < last; ++l)
      kept.push_back(forward(l, l == first ? h : kept.back().data()));
    for (std::int64_t l = last; l-- > first;) {
      backward(l, l == first ? h : kept[l - first - 1].data(), kept[l - first]);
      kept.pop_back();
    }
  }
  void write_input_gradient(const Call& call) const {
    std::copy(gradient_.begin(), gradient_.end(), call.output<float>(kInputGradient).data);
  }

 private:
  Sizes sizes_;
  const float* weights_;
  float* weight_gradient_;
  Buffer gradient_;  ///< with respect to the activation that was reached
  Buffer dz_;
  Buffer transposed_;
};

// ---- Baseline: every activation is kept until its layer's backward pass -------------------------
// What automatic differentiation does unless told otherwise. Memory is allocated in the call, because
// how much of it is alive at once is the figure that is compared.
void store_all(const Call& call) {
  Network network(call);
  network.forward_and_backward(0, Sizes(call.params()).layers, call.input<float>(kX).data);
  network.write_input_gradient(call);
}

// ---- The idea -----------------------------------------------------------------------------------
// The backward pass visits activations in reverse, so the first to be made is the last to be used. Run
// forward and keep only the input of every s-th layer. Then go backward segment by segment: compute the
// activations of one segment again from its checkpoint, use them, drop them. L / s checkpoints and s
// activations are alive at once, the least when s is sqrt(L). Each layer is run forward at most twice,
// and since a backward pass costs two forward passes, time grows by a third at most. Where activations
// fit anyway, it only costs time.

// ---- Optimized: the same network, segment by segment --------------------------------------------
void checkpointed(const Call& call) {
  const std::int64_t layers = Sizes(call.params()).layers;
  const auto segment = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(layers))));
  const std::int64_t last_start = (layers - 1) / segment * segment;
  Network network(call);
  const float* const x = call.input<float>(kX).data;
  const float* h = x;
  std::vector<Buffer> checkpoints;  // inputs of segments 1, 2, ...; that of segment 0 is x
  Buffer current;
  for (std::int64_t l = 0; l < last_start; ++l) {
    current = network.forward(l, h);
    h = current.data();
    if ((l + 1) % segment != 0) continue;
    checkpoints.push_back(std::exchange(current, {}));  // its numbers stay where they are
  }
  current = {};
  for (std::int64_t start = last_start; start >= 0; start -= segment) {
    const float* input = start == 0 ? x : checkpoints.back().data();
    network.forward_and_backward(start, std::min(start + segment, layers), input);
    if (start > 0) checkpoints.pop_back();
  }
  network.write_input_gradient(call);
}

const Registration registered{{
    .id = "ch13/activation_checkpoint",
    .title = "Activation checkpointing",
    .idea = "Keep every sqrt(L)-th activation and compute the others again when they are needed.",
    .bound = Bound::compute,
    .goal = Goal::memory,
    .tags = {"training", "memory"},
    .axes = {{.name = "layers", .values = {16, 36}, .quick = {16}, .small = 7},
             {.name = "batch", .values = {1024}, .small = 9},
             {.name = "width", .values = {64}, .small = 37}},
    .problem = problem,
    .reference = reference,  // tolerance: see activation_checkpoint.h
    .variants = {{.name = "store_all", .run = store_all, .note = "all activations kept"},
                 {.name = "checkpointed",
                  .run = checkpointed,
                  .note = "every sqrt(L)-th kept, the rest made again"}},
}};

}  // namespace
}  // namespace aisp::activation_checkpoint
