// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/seed.h"

#include <array>
#include <charconv>

#include <sys/random.h>

#include "aisp/core/check.h"
#include "aisp/wire/hash.h"

namespace aisp::harness {

Seed Seed::draw(std::string domain) {
  std::array<char, 32> bytes{};
  AISP_CHECK(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
             "the kernel gave no randomness");
  return {sha256_hex({bytes.data(), bytes.size()}), std::move(domain)};
}

std::string Seed::commitment() const { return sha256_hex("aisp seed " + hex_); }

std::uint64_t Seed::stream(std::string_view purpose, std::int64_t a, std::int64_t b, std::int64_t c) const {
  std::string text = hex_;
  if (!domain_.empty()) text += " in " + domain_ + ":";
  text += ' ';
  text += purpose;
  for (const std::int64_t part : {a, b, c}) text += ' ' + std::to_string(part);
  const std::string digest = sha256_hex(text);
  std::uint64_t stream = 0;
  std::from_chars(digest.data(), digest.data() + 16, stream, 16);
  return stream;
}

}  // namespace aisp::harness
