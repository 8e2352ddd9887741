// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attention of bf16 by cuDNN, loaded when it is first needed: the program starts where there is none.
///
///   CudnnAttention library({.batch = 2, .heads = 16, .kv_heads = 16, .seq = 8192, .dim = 128, .causal =
///   true}); library.run(q, k, v, o, stream);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace aisp::anchors {

class CudnnAttention {
 public:
  struct Size {
    std::int64_t batch, heads, kv_heads, seq, dim;
    bool causal;
  };
  /// Builds the plan that the library's heuristic proposes first. Throws, with the library's words.
  explicit CudnnAttention(const Size& size);
  ~CudnnAttention();
  /// Heads lie one behind the other, each a row-major matrix of seq x dim. Queues and returns.
  void run(const void* q, const void* k, const void* v, void* o, void* stream);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

/// Why it cannot be had here, or nothing.
std::optional<std::string> cudnn_missing();

}  // namespace aisp::anchors
