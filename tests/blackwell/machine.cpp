// SPDX-License-Identifier: Apache-2.0
#include "tests/blackwell/machine.h"

#include <atomic>
#include <chrono>

namespace aisp::emulated {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kLook = std::chrono::milliseconds(500);
// Microseconds: what is loaded comes soon, while products and stores still read what it would overwrite.
constexpr unsigned kLoadsLate = 0, kProductsLate = 3000, kStoresLate = 5000;
constexpr std::uint32_t kOwnBits = 18, kRankBit = 24;  // as a cluster's addresses are told apart

std::atomic<int> next_cluster;
std::atomic<int> blocks_of_cluster, waiting_clusters;

}  // namespace

Monitor& monitor() {
  static Monitor one;
  return one;
}

void Monitor::fail(const std::string& what) {
  const std::scoped_lock hold(lock_);
  if (wrong_.empty()) wrong_ = what;
  throw Stopped{};
}

void Monitor::change(const std::function<void()>& make) {
  const std::scoped_lock hold(lock_);
  make();
}

/// Looks up now and then whether something went wrong elsewhere.
void Monitor::wait(std::condition_variable& changed, const std::function<bool()>& until, const char* for_what,
                   bool for_ever) {
  std::unique_lock hold(lock_);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (wrong_.empty() && !changed.wait_for(hold, kLook, until)) {
    if (for_ever || std::chrono::steady_clock::now() < end) continue;
    wrong_ = "block " + std::to_string(self().block_index) + " thread " + std::to_string(self().thread) +
             " waits in vain for " + for_what;
  }
  if (!wrong_.empty()) throw Stopped{};
}

std::string Monitor::wrong() {
  const std::scoped_lock hold(lock_);
  return wrong_;
}

void Monitor::reset() {
  const std::scoped_lock hold(lock_);
  wrong_.clear();
}

void Counter::arrive() {
  --pending;
  end_phase();
}
void Counter::count(std::int64_t more) {
  bytes += more;
  end_phase();
}
void Counter::end_phase() {
  if (pending != 0 || bytes != 0) return;
  pending = expected;
  ++phase;
  changed->notify_all();
}

Engine::Engine(unsigned late) : thread_([this, late] { run(late); }) {}
Engine::~Engine() {
  monitor().change([this] {
    end_ = true;
    asked_.notify_one();
  });
  thread_.join();
}
void Engine::ask(std::function<void()> work) {
  monitor().change([&] {
    queue_.push_back(std::move(work));
    asked_.notify_one();
  });
}
/// Late, and each time by a little more or less: who does not wait is found out.
void Engine::run(unsigned late) {
  unsigned seed = late;
  try {
    for (;;) {
      std::function<void()> work;
      monitor().wait(asked_, [&] { return end_ || !queue_.empty(); }, "work", true);
      monitor().change([&] {
        if (queue_.empty()) return;
        work = std::move(queue_.front());
        queue_.pop_front();
      });
      if (!work) return;
      seed = seed * 1664525u + 1013904223u;
      std::this_thread::sleep_for(std::chrono::microseconds(late + (seed >> 24)));
      work();
    }
  } catch (const Stopped&) {
  }
}

Block::Block(Cluster& its_cluster, unsigned its_rank, unsigned threads, unsigned shared_bytes)
    : cluster(its_cluster),
      rank(its_rank),
      warps(threads / 32, {.expected = 32, .pending = 32}),
      meeting{.expected = static_cast<int>(threads), .pending = static_cast<int>(threads)},
      loads(std::make_unique<Engine>(kLoadsLate)),
      stores(std::make_unique<Engine>(kStoresLate)),
      memory_(shared_bytes + blackwell::kTileAlignment, std::byte{0x7f}) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
  shared = memory_.data() + (blackwell::kTileAlignment - begin % blackwell::kTileAlignment);
}

/// Under the monitor's lock, as all that is done to a Counter.
Counter& Block::barrier(std::uint32_t address) {
  for (auto& [place, counter] : barriers_) {
    if (place == address) return counter;
  }
  return barriers_.emplace_back(address, Counter{}).second;
}

Self& self() {
  thread_local Self mine;
  return mine;
}

std::uint32_t address_of(const void* pointer) {
  const Block& block = *self().block;
  const auto offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(pointer) - block.shared);
  return block.rank << kRankBit | offset;
}
Block& block_of(std::uint32_t address) { return self().block->cluster.blocks.at(address >> kRankBit); }
std::byte* place_of(std::uint32_t address) {
  return block_of(address).shared + (address & ((1u << kOwnBits) - 1));
}

void before_others(const char* what) {
  if (self().reads_open) monitor().fail(std::string("no fence between reading tensor memory and ") + what);
}
void after_others() { self().fenced = false; }

void meet(Counter& counter, const char* what) {
  unsigned mine = 0;
  monitor().change([&] {
    mine = counter.phase;
    counter.arrive();
  });
  monitor().wait(*counter.changed, [&] { return counter.phase != mine; }, what);
}

int take_waiting_cluster() {
  const int taken = next_cluster++;
  return taken < waiting_clusters ? taken * blocks_of_cluster : -1;
}

namespace {

void run_cluster(const Grid& grid, unsigned first, const std::function<void()>& kernel) {
  Cluster cluster;
  const auto all = static_cast<int>(grid.blocks * grid.threads);
  cluster.meeting = {.expected = all, .pending = all};
  for (unsigned rank = 0; rank < grid.blocks; ++rank)
    cluster.blocks.emplace_back(cluster, rank, grid.threads, grid.shared_bytes);
  cluster.products = std::make_unique<Engine>(kProductsLate);
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < grid.blocks * grid.threads; ++i) {
    threads.emplace_back([&, i] {
      const unsigned rank = i / grid.threads;
      self() = {.block = &cluster.blocks[rank],
                .thread = i % grid.threads,
                .block_index = first + rank,
                .grid = grid.clusters * grid.blocks};
      try {
        kernel();
      } catch (const Stopped&) {
      }
    });
  }
  threads.clear();
  cluster.products.reset();
  for (Block& block : cluster.blocks) {
    block.loads.reset();
    block.stores.reset();
    if (block.columns_taken != 0 && monitor().wrong().empty()) {
      try {
        monitor().fail("a block ended with columns of tensor memory");
      } catch (const Stopped&) {
      }
    }
  }
}

}  // namespace

std::string launch(const Grid& grid, const std::function<void()>& kernel) {
  monitor().reset();
  next_cluster = 0;
  waiting_clusters = static_cast<int>(grid.clusters);
  blocks_of_cluster = static_cast<int>(grid.blocks);
  std::vector<std::jthread> processors;
  for (int i = 0; i < kClustersAtOnce; ++i) {
    processors.emplace_back([&] {
      for (int first = take_waiting_cluster(); first >= 0; first = take_waiting_cluster())
        run_cluster(grid, static_cast<unsigned>(first), kernel);
    });
  }
  processors.clear();
  return monitor().wrong();
}

}  // namespace aisp::emulated
