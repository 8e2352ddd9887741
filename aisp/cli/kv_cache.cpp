// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/kv_cache.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/worksheet.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

struct Type {
  const char* name;
  int bits;
  int scale_block;  ///< numbers that share a scale in the format as it is usually stored
};
// Plain FP8 caches have one scale a tensor; FP4 needs one for each 16 numbers (NVFP4).
constexpr std::array kTypes{Type{"fp32", 32, 0}, Type{"fp16", 16, 0}, Type{"bf16", 16, 0}, Type{"fp8", 8, 0},
                            Type{"int8", 8, 0},  Type{"fp4", 4, 16},  Type{"int4", 4, 16}};

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const Type& type : kTypes) names.emplace_back(type.name);
  return names;
}

Type type_named(const std::string& name) {
  for (const Type& type : kTypes) {
    if (name == type.name) return type;
  }
  return kTypes[1];
}

std::int64_t whole(const Arguments& arguments, const char* flag) {
  return static_cast<std::int64_t>(arguments.number(flag));
}

/// Heads by number and size, or by the hidden size: without --heads each query head has its own keys, and
/// only the product counts.
Result<analysis::KvCacheShape> heads_of(const Arguments& arguments) {
  analysis::KvCacheShape shape;
  if (arguments.has("mla-latent")) {
    for (const char* other : {"kv-heads", "head-dim", "hidden", "heads"}) {
      if (arguments.has(other))
        return Error{ErrorCode::usage, std::string("--mla-latent takes the place of --") + other,
                     "leave out one of the two"};
    }
    shape.latent = whole(arguments, "mla-latent");
    shape.rope = whole(arguments, "mla-rope");
    return shape;
  }
  const std::int64_t hidden = whole(arguments, "hidden"), heads = whole(arguments, "heads");
  shape.kv_heads = arguments.has("kv-heads") ? whole(arguments, "kv-heads") : heads;
  shape.head_size = whole(arguments, "head-dim");
  if (shape.head_size == 0 && hidden > 0) {
    if (heads == 0 && arguments.has("kv-heads"))
      return Error{ErrorCode::usage, "--hidden and --kv-heads do not say how large a head is",
                   "give --heads (of the queries) or --head-dim as well"};
    if (heads > 0 && hidden % heads != 0)
      return Error{ErrorCode::bad_input,
                   fmt::format("--hidden {} is not a multiple of --heads {}", hidden, heads),
                   "give --head-dim instead"};
    shape.head_size = heads > 0 ? hidden / heads : hidden;
    if (heads == 0) shape.kv_heads = 1;
  }
  if (shape.kv_heads > 0 && shape.head_size > 0) return shape;
  return Error{ErrorCode::usage, "the heads are not known",
               "--hidden; or --kv-heads and --head-dim; or --mla-latent and --mla-rope"};
}

int run_kv_cache(const Arguments& arguments) {
  Worksheet sheet(arguments, kKvCache);
  if (const Status given = sheet.need({"layers", "tokens"}); !given) return fail(arguments, given.error());
  Result<analysis::KvCacheShape> shape = heads_of(arguments);
  if (!shape) return fail(arguments, shape.error());
  const Type type = type_named(arguments.text("dtype"));
  shape->layers = whole(arguments, "layers");
  shape->tokens = whole(arguments, "tokens");
  shape->batch = whole(arguments, "batch");
  shape->bits = type.bits;
  shape->scale_block = arguments.has("scale-block") ? whole(arguments, "scale-block") : type.scale_block;
  if (!arguments.has("scale-block")) sheet.assume("scale-block", static_cast<double>(shape->scale_block));
  shape->scale_bytes = whole(arguments, "scale-bytes");
  shape->page_tokens = whole(arguments, "page-tokens");
  shape->table_bytes = whole(arguments, "table-bytes");
  const Result<analysis::KvCache> cache = analysis::kv_cache(*shape);
  if (!cache) return fail(arguments, cache.error());

  const auto bytes = [&](const char* name, const std::string& arithmetic, std::int64_t value) {
    sheet.step(name, arithmetic, static_cast<double>(value), "bytes",
               report::format_bytes(static_cast<double>(value)));
  };
  std::string vector = fmt::format("{} numbers x {} bits / 8", cache->vector_size, type.bits);
  if (shape->scale_block > 0)
    vector += fmt::format(" + ceil({} / {}) scales x {}", cache->vector_size, shape->scale_block,
                          shape->scale_bytes);
  bytes(shape->latent > 0 ? "a latent vector" : "a key or a value", vector, cache->bytes_per_vector);
  // With --hidden alone the number of heads is not known, nor does it matter.
  const std::string heads = shape->latent > 0      ? ""
                            : shape->kv_heads == 1 ? "2 x "
                                                   : fmt::format("2 x {} heads x ", shape->kv_heads);
  bytes("a token", fmt::format("{}{} x {} layers", heads, cache->bytes_per_vector, shape->layers),
        cache->bytes_per_token);
  bytes("a sequence", fmt::format("{} x {} tokens", cache->bytes_per_token, shape->tokens),
        cache->bytes_per_token * shape->tokens);
  bytes("all sequences", fmt::format("{} x {}", cache->bytes_per_token * shape->tokens, shape->batch),
        cache->bytes);
  if (shape->page_tokens > 0) {
    sheet.step("pages of a sequence", fmt::format("ceil({} / {})", shape->tokens, shape->page_tokens),
               static_cast<double>(cache->pages_per_sequence), "");
    bytes("allocated",
          fmt::format("({0} x {1} pages x {2} tokens + {1} x {3}) x {4}", cache->bytes_per_token,
                      cache->pages_per_sequence, shape->page_tokens, shape->table_bytes, shape->batch),
          cache->allocated);
    sheet.step("overhead of paging", fmt::format("{} / {} - 1", cache->allocated, cache->bytes),
               100 * cache->overhead, "%");
  }
  if (arguments.has("memory-gib")) {
    const double room = arguments.number("memory-gib") * 1024 * 1024 * 1024;
    const double each = static_cast<double>(cache->allocated) / static_cast<double>(shape->batch);
    sheet.step("sequences that fit", fmt::format("floor({} / {})", plain_number(room), plain_number(each)),
               std::floor(room / each), "");
  }
  return sheet.print();
}

Flag integer(const char* name, const char* help, const char* value, const char* fallback = "", double low = 1,
             double high = 1e12) {
  return {.name = name,
          .kind = FlagKind::integer,
          .help = help,
          .value = value,
          .fallback = fallback,
          .low = low,
          .high = high};
}

}  // namespace

const Command kKvCache{
    .name = "kv-cache",
    .summary = "Memory of a transformer's keys and values, with the arithmetic",
    .positional = "",
    .flags = {integer("layers", "of the model", "N"),
              integer("tokens", "of a sequence", "N"),
              integer("batch", "sequences", "N", "1"),
              integer("kv-heads", "heads with keys and values of their own (GQA, MQA)", "N"),
              integer("head-dim", "numbers in a key", "N"),
              integer("hidden", "hidden size: heads times their size, where each head has its own keys", "N"),
              integer("heads", "of the queries: with --hidden they say how large a head is", "N"),
              integer("mla-latent", "numbers of the latent vector instead of keys and values (MLA)", "N"),
              integer("mla-rope", "numbers for the position beside the latent vector", "N", "", 0),
              {.name = "dtype",
               .kind = FlagKind::choice,
               .help = "type of the numbers",
               .value = "TYPE",
               .fallback = "fp16",
               .choices = type_names()},
              integer("scale-block",
                      "numbers that share a scale; 0 = no scales; fp4 and int4 have 16 unless said", "N", "",
                      0),
              integer("scale-bytes", "of a scale", "N", "1", 0),
              integer("page-tokens", "tokens of a page; 0 = not paged", "N", "16", 0),
              integer("table-bytes", "of a page's entry in the table of its sequence", "N", "4", 0),
              {.name = "memory-gib",
               .kind = FlagKind::real,
               .help = "how many sequences fit into this",
               .value = "GIB",
               .low = 1e-6,
               .high = 1e12}},
    .details =
        "aisp utils kv-cache --layers 80 --kv-heads 8 --head-dim 128 --tokens 8192 --batch 32 --dtype fp8\n"
        "aisp utils kv-cache --layers 61 --mla-latent 512 --mla-rope 64 --tokens 4096\n\n"
        "Formulas and worked examples: docs/handbook/sizing.md.",
    .run = run_kv_cache,
    .group = "utils"};

}  // namespace aisp::cli
