// SPDX-License-Identifier: Apache-2.0
/// \file
/// How much memory the keys and values of a transformer's past tokens take.
///
///   Result<KvCache> c = kv_cache({.layers = 80, .kv_heads = 8, .head_size = 128, .tokens = 4096});
///   c->bytes_per_token;   // 2 * 8 * 128 * 80 * 2 = 327,680
///
/// Arithmetic over what is given; it asks no device. Formulas with a worked example: docs/handbook/sizing.md.
#pragma once

#include <cstdint>

#include "aisp/core/result.h"

namespace aisp::analysis {

struct KvCacheShape {
  std::int64_t layers = 0;
  std::int64_t kv_heads = 0;   ///< heads with keys and values of their own; fewer than queries have: GQA, MQA
  std::int64_t head_size = 0;  ///< numbers in a key, and in a value
  std::int64_t latent = 0;     ///< MLA: one compressed vector a token and layer instead of keys and values
  std::int64_t rope = 0;       ///< MLA: numbers kept beside it for the position
  std::int64_t tokens = 0;     ///< in a sequence
  std::int64_t batch = 1;      ///< sequences
  std::int64_t bits = 16;      ///< of a number
  std::int64_t scale_block = 0;  ///< numbers that share a scale; 0 = there are no scales
  std::int64_t scale_bytes = 1;  ///< of a scale
  std::int64_t page_tokens = 0;  ///< tokens of a page; 0 = not paged
  std::int64_t table_bytes = 4;  ///< of a page's entry in its sequence's table
};

struct KvCache {
  std::int64_t vectors = 0;             ///< a token and layer has: a key and a value a head, or one
  std::int64_t vector_size = 0;         ///< numbers of each
  std::int64_t bytes_per_vector = 0;    ///< scales included
  std::int64_t bytes_per_token = 0;     ///< over all layers
  std::int64_t bytes = 0;               ///< of all tokens of all sequences
  std::int64_t pages_per_sequence = 0;  ///< 0 where it is not paged
  std::int64_t allocated = 0;           ///< whole pages and their tables
  double overhead = 0;                  ///< allocated beyond what is used, as a share of it
};

Result<KvCache> kv_cache(const KvCacheShape& shape);

}  // namespace aisp::analysis
