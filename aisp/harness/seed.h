// SPDX-License-Identifier: Apache-2.0
/// \file
/// The secret of one attempt. It is drawn from the kernel, its hash is published before the first round (the
/// commitment) and it is revealed after the last, so that inputs can be redrawn later and nobody could have
/// known them before. Every tensor of every round gets a stream of its own, derived by SHA-256: one round's
/// inputs say nothing about the next round's.
///
/// A seed may belong to a domain: what is searched with inputs of the domain "tune" is judged with inputs
/// that no seed of that domain can give.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aisp::harness {

class Seed {
 public:
  /// 32 bytes from the kernel.
  static Seed draw(std::string domain = {});
  /// A seed that was revealed earlier; used by replay and by tests.
  static Seed from_hex(std::string hex, std::string domain = {}) {
    return {std::move(hex), std::move(domain)};
  }

  const std::string& hex() const { return hex_; }
  std::string commitment() const;
  /// The stream for one purpose, e.g. stream("input", round, set, tensor).
  std::uint64_t stream(std::string_view purpose, std::int64_t a, std::int64_t b = 0,
                       std::int64_t c = 0) const;

 private:
  Seed(std::string hex, std::string domain) : hex_(std::move(hex)), domain_(std::move(domain)) {}
  std::string hex_;
  std::string domain_;  ///< empty: what is published
};

}  // namespace aisp::harness
