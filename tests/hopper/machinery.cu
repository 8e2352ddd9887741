// SPDX-License-Identifier: Apache-2.0
// Barriers, clusters and warpgroups by themselves.
#include "tests/hopper/on_device.cuh"
#include "tests/hopper/parts.h"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper_test {
namespace {

// ---- Phases of a barrier -----------------------------------------------------------------------------
constexpr int kArrivals = 96;

__global__ void walk_phases(int* out) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& barrier = *reinterpret_cast<hopper::Barrier*>(shared_bytes);
  const bool first = threadIdx.x == 0;
  if (first) {
    out[0] = static_cast<int>(hopper::shared_address(shared_bytes) % 1024);
    barrier.init(kArrivals);
    hopper::fence_barriers();
    out[1] = barrier.ended(1);
    out[2] = barrier.ended(0);
  }
  __syncthreads();
  for (int phase = 0; phase < 3; ++phase) {
    if (!first) barrier.arrive();
    if (first) {
      out[3 + phase * 2] = barrier.ended(phase & 1);  // one arrival is missing: its own
      barrier.arrive();
    }
    barrier.wait(phase & 1);
    __syncthreads();
    if (first) out[4 + phase * 2] = barrier.ended(phase & 1);
    __syncthreads();
  }
}

void test_phases(Report& report) {
  OnDevice<int> out(9);
  walk_phases<<<1, kArrivals, 8192>>>(out.data());
  gpu::check_launch("walking through phases");
  out.download();
  const int want[9] = {0, 1, 0, 0, 1, 0, 1, 0, 1};
  const char* what[9] = {"dynamic shared memory begins off a multiple of 1024 by",
                         "fresh barrier, parity 1, ended",
                         "fresh barrier, parity 0, ended",
                         "phase 0 ended before the last arrival",
                         "phase 0 ended after it",
                         "phase 1 ended before the last arrival",
                         "phase 1 ended after it",
                         "phase 2 ended before the last arrival",
                         "phase 2 ended after it"};
  for (std::size_t i = 0; i < 9; ++i) {
    if (out.host[i] != want[i]) report.wrong("%s: %d, not %d", what[i], out.host[i], want[i]);
  }
}

// ---- Another block's shared memory -------------------------------------------------------------------
constexpr int kWords = 64;

/// Each block writes into the other's memory, and arrives at its barrier.
__global__ void __cluster_dims__(2, 1, 1) write_to_other(std::uint32_t* out) {
  __shared__ std::uint32_t words[kWords];
  __shared__ hopper::Barrier written, seen;
  const unsigned rank = hopper::cluster_rank(), other = rank ^ 1;
  words[threadIdx.x] = 7;
  if (threadIdx.x == 0) {
    written.init(kWords);
    seen.init(2 * kWords);
    hopper::fence_barriers();
  }
  hopper::cluster_barrier();
  hopper::store_in_cluster(hopper::address_in(&words[threadIdx.x], other), 1000 * (rank + 1) + threadIdx.x);
  written.release_at(other);
  written.wait_for_cluster(0);
  out[rank * kWords + threadIdx.x] = words[threadIdx.x];
  seen.arrive_at(0);
  seen.arrive_at(1);
  seen.wait(0);
  hopper::cluster_barrier();
}

void test_cluster(Report& report) {
  OnDevice<std::uint32_t> out(2 * kWords);
  write_to_other<<<2, kWords>>>(out.data());
  gpu::check_launch("writing into another block's memory");
  out.download();
  for (unsigned i = 0; i < 2 * kWords; ++i) {
    const unsigned want = 1000 * (2 - i / kWords) + i % kWords;
    if (out.host[i] != want)
      report.wrong("block %u word %u is %u, not %u", i / kWords, i % kWords, out.host[i], want);
  }
}

// ---- Roles of warpgroups -----------------------------------------------------------------------------
__global__ void __launch_bounds__(384, 1) take_roles(int* out) {
  __shared__ int met[2];
  if (threadIdx.x < 2) met[threadIdx.x] = 0;
  __syncthreads();
  const int group = hopper::group_index();
  if (group == 0) {
    hopper::keep_registers<40>();
    out[threadIdx.x] = 1;
  } else {
    hopper::take_registers<232>();
    atomicAdd(&met[group - 1], 1);
    hopper::group_barrier(group, hopper::kGroupThreads);
    out[threadIdx.x] = met[group - 1] == hopper::kGroupThreads ? group + 1 : -1;
  }
}

void test_roles(Report& report) {
  OnDevice<int> out(384);
  take_roles<<<1, 384>>>(out.data());
  gpu::check_launch("taking roles");
  out.download();
  for (int i = 0; i < 384; ++i) {
    const int want = i / 128 + 1, got = out.host[static_cast<std::size_t>(i)];
    if (got != want) report.wrong("thread %d has %d, not %d", i, got, want);
  }
}

}  // namespace

std::vector<Item> machinery_items() {
  std::vector<Item> items = {{"barrier: phases", test_phases},
                             {"cluster: memory and arrivals", test_cluster},
                             {"warpgroups: registers and barriers", test_roles}};
  for (const auto& more : {copy_items(), product_items(), held_items()})
    items.insert(items.end(), more.begin(), more.end());
  return items;
}

}  // namespace aisp::hopper_test
