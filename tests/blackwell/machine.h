// SPDX-License-Identifier: Apache-2.0
/// \file
/// A GPU of a few multiprocessors, emulated on the host so that the kernels of labs/blackwell_matmul can run
/// without one: a thread of the host for each of a block's, engines that copy and multiply when they come to
/// it, barriers that count arrivals and bytes. Small and slow; for answers, not for times.
///
/// Whatever waits too long, or breaks a rule of the manual that can be seen here, ends the launch: all waits
/// throw Stopped, and launch() returns what was wrong.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "workloads/blackwell/layout.h"

namespace aisp::emulated {

struct Stopped {};

/// Waits that end when something went wrong anywhere, or after a minute.
class Monitor {
 public:
  /// Says what is wrong first; ends all waits.
  [[noreturn]] void fail(const std::string& what);
  /// Under the lock, as all that several threads see here.
  void change(const std::function<void()>& make);
  /// `changed` is told when it may be so. Engines wait for ever.
  void wait(std::condition_variable& changed, const std::function<bool()>& until, const char* for_what,
            bool for_ever = false);
  std::string wrong();
  void reset();

 private:
  std::mutex lock_;
  std::string wrong_;
};
Monitor& monitor();

/// An mbarrier. One under the name of its place in shared memory.
struct Counter {
  int expected = 0, pending = 0;
  std::int64_t bytes = 0;
  unsigned phase = 0;
  std::shared_ptr<std::condition_variable> changed = std::make_shared<std::condition_variable>();

  void arrive();
  void count(std::int64_t more);  ///< expected bytes, or less of them

 private:
  void end_phase();
};

/// Does what it is asked for later, in order, by a thread of its own.
class Engine {
 public:
  explicit Engine(unsigned late);  ///< by so many microseconds at least
  ~Engine();
  void ask(std::function<void()> work);

 private:
  void run(unsigned late);
  std::deque<std::function<void()>> queue_;
  std::condition_variable asked_;
  bool end_ = false;
  std::thread thread_;
};

struct Cluster;

/// A block on its multiprocessor.
struct Block {
  Block(Cluster& its_cluster, unsigned its_rank, unsigned threads, unsigned shared_bytes);

  Cluster& cluster;
  unsigned rank;
  std::byte* shared;  ///< aligned as the copy engine needs it
  std::array<std::array<float, blackwell::kMemoryColumns>, blackwell::kLanes> tensor;
  int columns_taken = 0, warp_that_took = -1;
  std::vector<Counter> warps;  ///< who meets at __syncwarp()
  Counter meeting;             ///< and at __syncthreads()
  Counter& barrier(std::uint32_t address);
  std::unique_ptr<Engine> loads, stores;

 private:
  std::vector<std::byte> memory_;
  std::deque<std::pair<std::uint32_t, Counter>> barriers_;
};

struct Cluster {
  std::deque<Block> blocks;
  Counter meeting;
  std::unique_ptr<Engine> products;
};

/// Of one thread's stores, those that have read shared memory.
struct StoresRead {
  int count = 0;
  std::condition_variable changed;
};

/// Of the thread that asks: set for each emulated one.
struct Self {
  Block* block = nullptr;
  unsigned thread = 0, block_index = 0, grid = 0;
  bool fenced = true;       ///< after it last waited
  bool reads_open = false;  ///< of tensor memory, not fenced yet
  bool nothing_left = false;
  int stores_asked = 0;
  std::shared_ptr<StoresRead> stores_read = std::make_shared<StoresRead>();
};
Self& self();

/// In shared memory: an address as the instructions take it, with the block's rank above its 18 bits.
std::uint32_t address_of(const void* pointer);
Block& block_of(std::uint32_t address);
std::byte* place_of(std::uint32_t address);

/// On either side of what orders threads: tensor memory takes part only if its fences were called.
void before_others(const char* what);
void after_others();

/// All that count `counter` have come: a barrier of threads.
void meet(Counter& counter, const char* what);

/// A cluster that has not started: its first block, or -1. No one else gets it.
int take_waiting_cluster();

struct Grid {
  unsigned clusters, blocks, threads, shared_bytes;
};
constexpr int kClustersAtOnce = 2;

/// Runs `kernel` for every thread of every cluster that is not taken over; says what was wrong, if anything.
std::string launch(const Grid& grid, const std::function<void()>& kernel);

}  // namespace aisp::emulated
