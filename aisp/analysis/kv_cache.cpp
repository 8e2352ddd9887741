// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/kv_cache.h"

#include <string>
#include <tuple>

#include "aisp/analysis/whole.h"

namespace aisp::analysis {
namespace {

Status check(const KvCacheShape& shape) {
  const bool mla = shape.latent != 0 || shape.rope != 0;
  for (const auto& [name, value, least] : {std::tuple{"layers", shape.layers, 1},
                                           {"tokens", shape.tokens, 1},
                                           {"batch", shape.batch, 1},
                                           {"bits", shape.bits, 1},
                                           {"scale block", shape.scale_block, 0},
                                           {"scale bytes", shape.scale_bytes, 0},
                                           {"page", shape.page_tokens, 0},
                                           {"table entry", shape.table_bytes, 0},
                                           {"latent", shape.latent, mla ? 1 : 0},
                                           {"rope", shape.rope, 0},
                                           {"key-value heads", shape.kv_heads, mla ? 0 : 1},
                                           {"head size", shape.head_size, mla ? 0 : 1}}) {
    if (value < least)
      return Error{ErrorCode::bad_input,
                   std::string(name) + " is " + std::to_string(value) + ", and must be at least " +
                       std::to_string(least),
                   ""};
  }
  if (mla && (shape.kv_heads != 0 || shape.head_size != 0))
    return Error{ErrorCode::bad_input, "a latent vector takes the place of key-value heads: both were given",
                 "leave out one of the two"};
  return Ok{};
}

}  // namespace

Result<KvCache> kv_cache(const KvCacheShape& shape) {
  if (const Status fine = check(shape); !fine) return fine.error();
  const bool mla = shape.latent > 0;
  const Whole vectors = mla ? Whole(1) : Whole(2) * shape.kv_heads;
  const Whole size = mla ? Whole(shape.latent) + shape.rope : Whole(shape.head_size);
  Whole vector_bytes = divided_up(size * shape.bits, 8);
  if (shape.scale_block > 0)
    vector_bytes = vector_bytes + divided_up(size, shape.scale_block) * shape.scale_bytes;
  const Whole token = vectors * vector_bytes * shape.layers;
  const Whole used = token * shape.tokens * shape.batch;
  Whole allocated = used;
  Whole pages(0);
  if (shape.page_tokens > 0) {
    pages = divided_up(Whole(shape.tokens), shape.page_tokens);
    allocated = (token * pages * shape.page_tokens + pages * shape.table_bytes) * shape.batch;
  }
  if (!used.fits() || !allocated.fits())
    return Error{ErrorCode::bad_input, "the cache would have more than 2^63 bytes", "check the sizes given"};
  const auto share = static_cast<double>(allocated.value()) / static_cast<double>(used.value());
  return KvCache{.vectors = vectors.value(),
                 .vector_size = size.value(),
                 .bytes_per_vector = vector_bytes.value(),
                 .bytes_per_token = token.value(),
                 .bytes = used.value(),
                 .pages_per_sequence = pages.value(),
                 .allocated = allocated.value(),
                 .overhead = share - 1};
}

}  // namespace aisp::analysis
