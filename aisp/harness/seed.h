// SPDX-License-Identifier: Apache-2.0
/// \file
/// The secret of one attempt. It is drawn from the kernel, its hash is published before the first round (the
/// commitment) and it is revealed after the last, so that inputs can be redrawn later and nobody could have
/// known them before. Every tensor of every round gets a stream of its own, derived by SHA-256: one round's
/// inputs say nothing about the next round's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aisp::harness {

class Seed {
 public:
  /// 32 bytes from the kernel.
  static Seed draw();
  /// A seed that was revealed earlier; used by replay and by tests.
  static Seed from_hex(std::string hex) { return Seed(std::move(hex)); }

  const std::string& hex() const { return hex_; }
  std::string commitment() const;
  /// The stream for one purpose, e.g. stream("input", round, set, tensor).
  std::uint64_t stream(std::string_view purpose, std::int64_t a, std::int64_t b = 0,
                       std::int64_t c = 0) const;

 private:
  explicit Seed(std::string hex) : hex_(std::move(hex)) {}
  std::string hex_;
};

}  // namespace aisp::harness
