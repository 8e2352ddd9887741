// SPDX-License-Identifier: Apache-2.0
// Gather                                                                chapter 7, memory access
//
// The idea:          look up at random only in as much of the tables as a cache holds, and finish with it
//                    before going on.
// What bounds it:    each lookup needs 4 bytes and moves a line of 64. 128 tables of 512 KB do not fit a
//                    cache: 16 M lookups take 8 to 10 ns each on an EPYC. Indices and tables read once
//                    are 134 MB, 4.3 ms at the 31 GB/s that one core of it reads (`aisp peak`).
// What to look for:  misses of the L2 for each lookup: one in the baseline, few with one table at a time.
// Where it stops:    turning the indices into columns is a pass of its own over them; what is left is a
//                    load from the L2 for each. Tables that fit the L2 together need none of it;
//                    a single one that does not would have to be split, and its indices sorted by part.
#include "workloads/ch07_memory_access/gather.h"

#include <algorithm>

#include "workloads/simd.h"

namespace aisp::gather {
namespace {

// ---- The problem and the reference: gather.h --------------------------------------------------------

struct Model {
  const float* tables;
  const std::int32_t* indices;
  float* scores;
  std::int64_t rows, fields, entries;
};
Model model_of(const Call& call) {
  const Params& p = call.params();
  return {call.input<float>(kTables).data,
          call.input<std::int32_t>(kIndices).data,
          call.output<float>(kScores).data,
          p["rows"],
          p["fields"],
          p["entries"]};
}

// ---- Baseline: a row after the other, all fields ----------------------------------------------------
void all_fields(const Call& call) {
  const Model m = model_of(call);
  for (std::int64_t r = 0; r < m.rows; ++r) {
    float sum = 0;
    for (std::int64_t f = 0; f < m.fields; ++f) sum += m.tables[f * m.entries + m.indices[r * m.fields + f]];
    m.scores[r] = sum;
  }
}

// ---- A detour: ask for the weights of the next row in advance ---------------------------------------
// Gains nothing: no lookup waits for another, and the core itself looks far enough ahead to have as many
// misses under way as it can keep track of. Kept to be read beside the others.
void prefetched(const Call& call) {
  const Model m = model_of(call);
  for (std::int64_t r = 0; r < m.rows; ++r) {
    const std::int32_t* at = m.indices + r * m.fields;
    const std::int32_t* next = r + 1 < m.rows ? at + m.fields : at;
    float sum = 0;
    for (std::int64_t f = 0; f < m.fields; ++f) {
      __builtin_prefetch(m.tables + f * m.entries + next[f]);
      sum += m.tables[f * m.entries + at[f]];
    }
    m.scores[r] = sum;
  }
}

// ---- The idea ---------------------------------------------------------------------------------------
// A row looks into every table, so all of them, 67 MB, are in use at any time, and a lookup fetches a line
// for the sake of 4 bytes; what else is in it has gone when somebody needs it.
//
// Exchange the loops: all rows for a group of fields whose tables, 4 MB, stay in the L3, then the next group.
// A table then comes from memory once. The price: a score is read and written once for each group.
//
// One table at a time would stay in the L2, but a field's indices lie a row apart: each would fetch a line
// for 4 bytes again, the same mistake on the other side. So indices of 16 fields, a line of each row, are
// first turned into columns. A column is then read in a row, like the scores, and only its table at random.

// ---- Optimised 1: as many fields at a time as stay in the L3 ----------------------------------------
constexpr std::int64_t kGroupBytes = 4 << 20;  ///< what one of many cores may expect of an L3

void groups(const Call& call) {
  const Model m = model_of(call);
  const auto fit = std::clamp<std::int64_t>(kGroupBytes / (4 * m.entries), 1, m.fields);
  for (std::int64_t first = 0; first < m.fields; first += fit) {
    const std::int64_t end = std::min(first + fit, m.fields);
    for (std::int64_t r = 0; r < m.rows; ++r) {
      float sum = first == 0 ? 0 : m.scores[r];
      for (std::int64_t f = first; f < end; ++f) sum += m.tables[f * m.entries + m.indices[r * m.fields + f]];
      m.scores[r] = sum;
    }
  }
}

// ---- Optimised 2: one table at a time, its indices in a column --------------------------------------
/// Room for the columns of all rows, whichever way threads share them.
struct Columns {
  std::vector<std::int32_t> indices;
  std::int32_t* of(std::int64_t first_row, int thread) {
    return indices.data() + kTurned * (first_row + kPadding * thread);
  }
};
std::shared_ptr<void> prepare_columns(const Setup& setup) {
  const std::int64_t rows = setup.params["rows"] + kPadding * setup.threads;
  return std::make_shared<Columns>(
      Columns{std::vector<std::int32_t>(static_cast<std::size_t>(kTurned * rows))});
}

/// Indices of `fields` fields, from `at` on, in columns. A constant for a whole line of them: no inner loop.
template <class Fields>
void turn(const Model& m, const std::int32_t* at, Fields fields, std::int32_t* columns) {
  const std::int64_t pitch = pitch_of(m.rows);
  for (std::int64_t r = 0; r < m.rows; ++r) {
    for (std::int64_t f = 0; f < fields; ++f) columns[f * pitch + r] = at[r * m.fields + f];
  }
}

/// Adds weights to scores; the first field finds nothing to add to.
using AddColumn = void (*)(const float* table, const std::int32_t* column, float* scores, std::int64_t rows,
                           bool first);
void add_column(const float* table, const std::int32_t* column, float* scores, std::int64_t rows,
                bool first) {
  if (first) std::fill(scores, scores + rows, 0.0f);
  for (std::int64_t r = 0; r < rows; ++r) scores[r] += table[column[r]];
}

void score_by_columns(const Model& m, AddColumn add, std::int32_t* columns) {
  for (std::int64_t first = 0; first < m.fields; first += kTurned) {
    const std::int64_t count = std::min(kTurned, m.fields - first);
    if (count == kTurned) {
      turn(m, m.indices + first, std::integral_constant<std::int64_t, kTurned>{}, columns);
    } else {
      turn(m, m.indices + first, count, columns);
    }
    for (std::int64_t f = 0; f < count; ++f) {
      add(m.tables + (first + f) * m.entries, columns + f * pitch_of(m.rows), m.scores, m.rows,
          first + f == 0);
    }
  }
}

/// On the calling thread.
template <AddColumn add>
void by_columns(const Call& call) {
  score_by_columns(model_of(call), add, call.plan<Columns>().of(0, 0));
}

#if defined(__x86_64__)

// ---- Optimised 3: eight lookups an instruction ------------------------------------------------------
__attribute__((target("avx2"))) void add_column8(const float* table, const std::int32_t* column,
                                                 float* scores, std::int64_t rows, bool first) {
  const std::int64_t whole = rows / 8 * 8;
  for (std::int64_t r = 0; r < whole; r += 8) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column + r));
    const __m256 sums = first ? _mm256_setzero_ps() : _mm256_loadu_ps(scores + r);
    _mm256_storeu_ps(scores + r, _mm256_add_ps(sums, _mm256_i32gather_ps(table, at, 4)));
  }
  add_column(table, column + whole, scores + whole, rows - whole, first);
}

#endif

// ---- Optimised 4: all threads -----------------------------------------------------------------------
/// Rows are shared; all threads go through the tables at the same pace and have them from one L3.
void team(const Call& call) {
  const Model all = model_of(call);
  AddColumn add = add_column;
#if defined(__x86_64__)
  if (simd::has_avx2()) add = add_column8;
#endif
  call.team().run([&](int thread, int threads) {
    const std::int64_t begin = all.rows * thread / threads, end = all.rows * (thread + 1) / threads;
    Model mine = all;
    mine.indices += begin * all.fields;
    mine.scores += begin;
    mine.rows = end - begin;
    score_by_columns(mine, add, call.plan<Columns>().of(begin, thread));
  });
}

// ---- Registration -----------------------------------------------------------------------------------
std::vector<Variant> variants() {
  std::vector<Variant> ladder = {
      {.name = "all_fields", .run = all_fields, .note = "a row after the other, all tables in use at once"},
      {.name = "prefetched",
       .run = prefetched,
       .note = "the next row's weights asked for ahead",
       .rung = Rung::informational},
      {.name = "groups", .run = groups, .note = "as many fields at a time as stay in the L3"},
      {.name = "columns",
       .run = CallFunction(by_columns<add_column>),
       .note = "one table at a time, its indices turned into a column",
       .prepare = prepare_columns}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(by_columns<add_column8>),
                    .note = "eight lookups an instruction",
                    .prepare = prepare_columns,
                    .unavailable = simd::without_avx2});
#endif
  ladder.push_back({.name = "team", .run = team, .note = "all threads", .prepare = prepare_columns});
  return ladder;
}

const Registration registered{{
    .id = "ch07/gather",
    .title = "Gather",
    .idea = "Look up at random only in as much of the tables as a cache holds.",
    .bound = Bound::memory,
    .tags = {"cache", "gather"},
    .axes = {{.name = "rows", .values = {1 << 17}, .small = 1027},
             {.name = "fields", .values = {128}, .small = 44},
             {.name = "entries", .values = {1 << 17}, .small = 1021},
             {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::gather
