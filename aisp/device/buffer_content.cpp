// SPDX-License-Identifier: Apache-2.0
// What fills a buffer and what is left of it: poison and checksums. Word i of the poison is a pure function
// of the seed and i, so nothing is kept to compare with; it costs two multiplications for eight bytes.
#include <algorithm>
#include <bit>
#include <cstring>

#include "aisp/core/check.h"
#include "aisp/core/rng.h"
#include "aisp/device/buffer.h"
#include "aisp/device/line_words.h"

namespace aisp::device {
namespace {

std::uint64_t load(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return word;
}

/// Finds words in which some aligned lane equals its poison. Not zero exactly when a lane of x is zero.
struct LaneTest {
  std::uint64_t ones, highs;
  std::uint64_t operator()(std::uint64_t x) const { return (x - ones) & ~x & highs; }
};

LaneTest lane_test(std::size_t bytes) {
  switch (bytes) {
    case 2:
      return {0x0001000100010001ull, 0x8000800080008000ull};
    case 4:
      return {0x0000000100000001ull, 0x8000000080000000ull};
    default:
      return {1ull, 0x8000000000000000ull};
  }
}

/// The poison of one buffer, element by element.
struct Poison {
  const std::byte* data;
  std::uint64_t elements;
  std::size_t element_bytes;
  std::uint64_t seed, nan;

  std::uint64_t word(std::uint64_t i) const { return line_word(seed, i) | nan; }
  bool holds(std::uint64_t element) const {
    const std::uint64_t at = element * element_bytes;
    const std::uint64_t expected = word(at / 8) >> (8 * (at % 8));
    return std::memcmp(data + at, &expected, element_bytes) == 0;
  }
};

static_assert(std::endian::native == std::endian::little,
              "poison words are compared piecewise, lowest byte first");

}  // namespace

void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) {
  std::uint64_t line = 0;
  for (; bytes >= kLineBytes; bytes -= kLineBytes, begin += kLineBytes) {
    const std::uint64_t random = random_word(seed, line++);
    std::uint64_t words[8];
    for (int i = 0; i < 8; ++i) words[i] = (random ^ kLineWords[i]) | set;
    std::memcpy(begin, words, kLineBytes);
  }
  const std::uint64_t random = random_word(seed, line);
  for (std::size_t at = 0; at < bytes; at += 8) {
    const std::uint64_t word = (random ^ kLineWords[at / 8]) | set;
    std::memcpy(begin + at, &word, std::min<std::size_t>(8, bytes - at));
  }
}

void Buffer::poison(DType type, std::uint64_t seed) { fill_lines(data_, size_, seed, poison_bits(type)); }

/// A quick pass finds candidates: words with an aligned lane that matches. For floats the lane is the
/// element. For integers up to 32 bits it is four bytes, which any run of eight contains and which matches by
/// chance once in 2^32. A candidate is then grown element by element to the whole run and counted if the run
/// is long enough.
std::uint64_t Buffer::poison_left(DType type, std::uint64_t seed, std::uint64_t limit) const {
  const std::size_t element = size_of(type);
  const bool floating = poison_is_nan(type);
  const Poison poison{data_, size_ / element, element, seed, poison_bits(type)};
  const std::uint64_t shortest =
      floating ? 1 : std::max<std::uint64_t>(1, std::min<std::uint64_t>(8, size_) / element);
  if (limit == 0 || (!floating && size_ < 4)) return 0;

  limit = std::min(limit, poison.elements);
  std::uint64_t left = 0;
  std::uint64_t counted_up_to = 0;  // element
  const auto count_run_at = [&](std::uint64_t at) {
    std::uint64_t first = at;
    while (first > counted_up_to && poison.holds(first - 1)) --first;
    std::uint64_t end = at + 1;
    while (end < poison.elements && end - first < limit + shortest && poison.holds(end)) ++end;
    if (end - first >= shortest) left += end - first;
    counted_up_to = end;
  };
  const auto look_closely = [&](std::uint64_t from_byte, std::uint64_t to_byte) {
    const std::uint64_t end = std::min<std::uint64_t>((to_byte + element - 1) / element, poison.elements);
    for (std::uint64_t e = std::max(counted_up_to, from_byte / element); e < end && left < limit; ++e)
      if (poison.holds(e)) {
        count_run_at(e);
        e = counted_up_to - 1;
      }
  };

  const LaneTest candidate = lane_test(floating || element == 8 ? element : 4);
  std::size_t at = 0;
  for (; at + kLineBytes <= size_ && left < limit; at += kLineBytes) {
    const std::uint64_t random = random_word(seed, at / kLineBytes);
    std::uint64_t words[8];
    std::memcpy(words, data_ + at, kLineBytes);
    std::uint64_t any = 0;
    for (int i = 0; i < 8; ++i) any |= candidate(words[i] ^ ((random ^ kLineWords[i]) | poison.nan));
    if (any != 0) look_closely(at, at + kLineBytes);
  }
  look_closely(at, size_);
  return std::min(left, limit);
}

/// Eight independent lanes hide the latency of the multiplication. Each step is invertible in the word and in
/// the lane, so one changed word always changes the result; the rotation keeps two flipped sign bits from
/// cancelling.
std::uint64_t Buffer::checksum() const {
  constexpr std::uint64_t kPrime = 0x9e3779b185ebca87ull;
  std::uint64_t lane[8];
  for (std::uint64_t i = 0; i < 8; ++i) lane[i] = random_word(size_, i);
  const auto mix = [](std::uint64_t h, std::uint64_t w) { return std::rotl((h ^ w) * kPrime, 29); };
  const std::byte* at = data_;
  std::size_t left = size_;
  for (; left >= 64; left -= 64, at += 64)
    for (int i = 0; i < 8; ++i) lane[i] = mix(lane[i], load(at + 8 * i));
  for (; left >= 8; left -= 8, at += 8) lane[left / 8] = mix(lane[left / 8], load(at));
  std::uint64_t last = 0;
  if (left > 0) std::memcpy(&last, at, left);
  lane[0] = mix(lane[0], last);
  std::uint64_t hash = 0;
  for (const std::uint64_t l : lane) hash = mix(hash, l) ^ (hash >> 31);
  return hash;
}

}  // namespace aisp::device
