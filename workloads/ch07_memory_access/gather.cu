// SPDX-License-Identifier: Apache-2.0
// Gather on a GPU                                                       chapter 7, memory access
//
// The idea:          look up at random only in as much of the table as the L2 cache holds, and finish with it
//                    before going on.
// What bounds it:    each lookup needs 4 bytes and moves a sector of 32. 64 M of them are 2.1 GB of sectors:
//                    464 µs at the 4.63 TB/s an H200 reads, if memory were as fast at random as in a row. The
//                    indices, the tables once and the scores are 539 MB: 116 µs.
// What to look for:  the hit rate of the L2, and sectors from memory for each lookup.
// Where it stops:    tables that fit the L2 together (60 MB on an H200) need no groups; a single table that
//                    does not fit would have to be split, and its indices sorted by part.
#include "workloads/ch07_memory_access/gather.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "aisp/core/ladder.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::gather {
namespace {

constexpr int kThreads = 256;

// ---- The problem and the reference: gather.h; the reference on the device --------------------------
__global__ void score_in_double(const float* tables, const std::int32_t* indices, double* value,
                                double* scale, std::int64_t rows, std::int64_t fields, std::int64_t entries) {
  const std::int64_t r = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (r >= rows) return;
  double sum = 0, magnitude = 0;
  for (std::int64_t f = 0; f < fields; ++f) {
    const double weight = tables[f * entries + indices[r * fields + f]];
    sum += weight;
    magnitude += fabs(weight);
  }
  value[r] = sum;
  scale[r] = magnitude;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto rows = call.params["rows"];
  const DeviceWide& scores = call.outputs[kScores];
  score_in_double<<<gpu::blocks_for(rows, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kTables).data, call.input<std::int32_t>(kIndices).data, scores.value, scores.scale,
      rows, call.params["fields"], call.params["entries"]);
  gpu::check_launch("scoring by reference");
}

// ---- Baseline: a warp a row, all fields ------------------------------------------------------------
// Indices are read side by side, and the lookups of a lane do not wait for each other.
__global__ void score_rows(const float* tables, const std::int32_t* indices, float* scores, std::int64_t rows,
                           int fields, std::int64_t entries) {
  const std::int64_t row = std::int64_t{blockIdx.x} * (kThreads / gpu::kLanes) + gpu::warp_index();
  if (row >= rows) return;
  float sum = 0;
#pragma unroll 4
  for (int f = gpu::lane_index(); f < fields; f += gpu::kLanes)
    sum += tables[f * entries + indices[row * fields + f]];
  sum = gpu::warp_sum(sum);
  if (gpu::lane_index() == 0) scores[row] = sum;
}

void all_fields(const Call& call) {
  const auto rows = call.params()["rows"];
  score_rows<<<gpu::blocks_for(rows, kThreads / gpu::kLanes), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kTables).data, call.input<std::int32_t>(kIndices).data,
      call.output<float>(kScores).data, rows, static_cast<int>(call.params()["fields"]),
      call.params()["entries"]);
  gpu::check_launch("scoring all fields");
}

// ---- The idea --------------------------------------------------------------------------------------
// A row looks into every table, so all of them, 268 MB, are in use at any time, and eleven of twelve lookups
// miss the L2. Each brings a sector or two (3.92 GiB were counted for 64 M) for the sake of 4 bytes; what
// else is in them has gone when somebody needs it.
//
// Exchange the loops: a launch takes a group of fields whose tables, 32 MB, fit the L2, and all rows; the
// next launch takes the next group. A table then comes from memory once, and lookups are served by the L2.
// The price is small: a score is read and written once for each group, and these stay in the L2 as well. An
// index is still read once, since a row's indices of a group are whole sectors.
//
// Indices are needed once, weights again and again. So the indices are marked as streaming, for the cache to
// let go first, and four of them come with one access.

// ---- Optimised 1: as many fields at a time as fit the L2 -------------------------------------------
constexpr std::int64_t kGroupBytes = 32 << 20;
constexpr int kMostFields = 16;  ///< in a group: threads to a row, half a warp

struct Group {
  int first, size;
};
/// Calls launch(group) for one group after the other.
template <class Launch>
void for_each_group(const Params& p, Launch launch) {
  const std::int64_t fields = p["fields"];
  const auto fit = std::clamp<std::int64_t>(kGroupBytes / (4 * p["entries"]), 1, kMostFields);
  for (std::int64_t first = 0; first < fields; first += fit)
    launch(Group{static_cast<int>(first), static_cast<int>(std::min(fit, fields - first))});
}

/// The sum over kTeam neighbouring lanes; every lane of the warp takes part.
template <int kTeam>
__device__ float team_total(float value) {
#pragma unroll
  for (int distance = kTeam / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(gpu::kAllLanes, value, distance);
  return value;
}

/// The first group finds nothing to add to.
__device__ void add_score(float* score, float sum, Group group) {
  *score = group.first == 0 ? sum : *score + sum;
}

/// A field a thread, kMostFields threads a row.
__global__ void score_group(const float* tables, const std::int32_t* indices, float* scores,
                            std::int64_t rows, int fields, std::int64_t entries, Group group) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::int64_t row = thread / kMostFields;
  const int of_group = static_cast<int>(thread % kMostFields), f = group.first + of_group;
  float sum = 0;
  if (row < rows && of_group < group.size) sum = tables[f * entries + indices[row * fields + f]];
  sum = team_total<kMostFields>(sum);
  if (row < rows && of_group == 0) add_score(&scores[row], sum, group);
}

void groups(const Call& call) {
  const auto rows = call.params()["rows"];
  for_each_group(call.params(), [&](Group group) {
    score_group<<<gpu::blocks_for(rows * kMostFields, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
        call.input<float>(kTables).data, call.input<std::int32_t>(kIndices).data,
        call.output<float>(kScores).data, rows, static_cast<int>(call.params()["fields"]),
        call.params()["entries"], group);
    gpu::check_launch("scoring a group of fields");
  });
}

// ---- Optimised 2: four indices an access, and the L2 left to the tables ----------------------------
constexpr int kQuarter = kMostFields / 4;  ///< threads to a row

/// Four fields a thread. `fields` and the size of the group are multiples of four.
__global__ void score_group_streamed(const float* tables, const std::int32_t* indices, float* scores,
                                     std::int64_t rows, int fields, std::int64_t entries, Group group) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::int64_t row = thread / kQuarter;
  const int of_group = static_cast<int>(thread % kQuarter) * 4, f = group.first + of_group;
  float sum = 0;
  if (row < rows && of_group < group.size) {
    const int4 at = __ldcs(reinterpret_cast<const int4*>(indices + row * fields + f));
    const float* table = tables + f * entries;
    sum = (table[at.x] + table[entries + at.y]) + (table[2 * entries + at.z] + table[3 * entries + at.w]);
  }
  sum = team_total<kQuarter>(sum);
  if (row < rows && of_group == 0) add_score(&scores[row], sum, group);
}

void groups_streamed(const Call& call) {
  const auto rows = call.params()["rows"], fields = call.params()["fields"];
  bool in_fours = fields % 4 == 0;  // rows begin at multiples of 16 bytes, and so do groups
  for_each_group(call.params(), [&](Group group) { in_fours = in_fours && group.size % 4 == 0; });
  if (!in_fours) return groups(call);
  for_each_group(call.params(), [&](Group group) {
    score_group_streamed<<<gpu::blocks_for(rows * kQuarter, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
        call.input<float>(kTables).data, call.input<std::int32_t>(kIndices).data,
        call.output<float>(kScores).data, rows, static_cast<int>(fields), call.params()["entries"], group);
    gpu::check_launch("scoring a group of fields, four at a time");
  });
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: three groups, the last one not full, and rows that end within a block.
const LadderRegistration registered{{
    .workload = "ch07/gather",
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {1 << 19}, .small = 1027},
             {.name = "fields", .values = {128}, .small = 44},
             {.name = "entries", .values = {1 << 19}, .small = 1021}},
    .reference = reference_on_device,
    .variants = {{.name = "all_fields", .run = all_fields, .note = "a warp a row, all tables in use at once"},
                 {.name = "groups",
                  .run = groups,
                  .note = "a launch for each group of fields whose tables fit the L2"},
                 {.name = "groups_streamed",
                  .run = groups_streamed,
                  .note = "four indices an access, streamed (fields a multiple of 4, else groups)"}},
}};

}  // namespace
}  // namespace aisp::gather
