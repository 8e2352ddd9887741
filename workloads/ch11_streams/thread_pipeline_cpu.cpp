// SPDX-License-Identifier: Apache-2.0
// Thread pipeline                                                        chapter 11, streams
// The idea:          stages that cannot be split run at once, each on a thread of its own, on different
//                    parts of the stream.
// What bounds it:    the slower stage. Both must go through the stream in order: where a number begins is
//                    known when the one before has been read, and a rank depends on all symbols before it.
//                    At n=2^18 each takes about 2 ms; one after the other 4 ms, at once little more than 2.
// What to look for:  cache lines that travel between the cores: one a message, or one a batch.
// Where it stops:    stages of unequal length, the shorter of which waits; and messages that cost as much
//                    as the work they bring.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::thread_pipeline {
namespace {

enum { kBytes };
enum { kRank };
constexpr int kSymbols = 6;        ///< of the list
constexpr std::int64_t kMost = 4;  ///< bytes of a number

// ---- The problem ------------------------------------------------------------------------------------------
// A stream of numbers of one to four bytes, seven bits each, lowest first; the top bit says that more
// follow. A number modulo 6 is a symbol. Its rank is its place in a list of all symbols, from which it then
// moves to the front, so that what came lately has low ranks: the first two stages of many compressors.

/// `alike` of 16 numbers repeat the one before: ranks of zero, as in real streams.
DrawFunction draw_stream(std::uint64_t alike) {
  return [alike](const DrawContext&, Rng& rng, const TensorView& bytes) {
    std::int64_t at = 0;
    std::uint64_t value = 0;
    for (std::int64_t i = 0; i < bytes.size / kMost; ++i) {
      const std::uint64_t bits = 7 * (1 + rng.below(kMost));
      if (rng.below(16) >= alike) value = rng.word() & ((std::uint64_t{1} << bits) - 1);
      std::uint64_t rest = value;
      for (; rest >= 0x80; rest >>= 7) bytes.set(at++, static_cast<double>(rest & 0x7f) + 0x80);
      bytes.set(at++, static_cast<double>(rest));
    }
    for (; at < bytes.size; ++at) bytes.set(at, 0);
  };
}

Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::uint8_t>(
                          "bytes", {n * kMost},
                          {drawn_by("random", draw_stream(0)), drawn_by("repeating", draw_stream(6))}),
                      output<std::uint8_t>("rank", {n}, exact())},
          .work = {.bytes = 3.5 * static_cast<double>(n), .items = static_cast<double>(n)},
          .workspace_bytes = 1 << 18};
}

// ---- Reference -------------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto bytes = call.input<std::uint8_t>(kBytes);
  std::vector<int> list(kSymbols);
  for (int s = 0; s < kSymbols; ++s) list[static_cast<std::size_t>(s)] = s;
  std::int64_t at = 0;
  for (double& rank : call.outputs[kRank].value) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint64_t byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const auto place = std::ranges::find(list, static_cast<int>(value % kSymbols));
    rank = static_cast<double>(place - list.begin());
    std::rotate(list.begin(), place, place + 1);
  }
}

// ---- The two stages --------------------------------------------------------------------------------------
/// Knows where the next number begins.
class Reader {
 public:
  explicit Reader(const std::uint8_t* bytes) : at_(bytes) {}
  std::uint32_t next() {
    std::uint32_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint32_t byte = *at_++;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value % kSymbols;
    }
  }

 private:
  const std::uint8_t* at_;
};

class Ranker {
 public:
  Ranker() {
    for (int s = 0; s < kSymbols; ++s) list_[static_cast<std::size_t>(s)] = static_cast<std::uint8_t>(s);
  }
  std::uint8_t rank(std::uint32_t symbol) {
    auto moved = static_cast<std::uint8_t>(symbol);
    for (std::size_t place = 0;; ++place) {
      std::swap(moved, list_[place]);
      if (moved == symbol) return static_cast<std::uint8_t>(place);
    }
  }

 private:
  std::array<std::uint8_t, kSymbols> list_{};
};

// ---- Baseline: one after the other, batch by batch --------------------------------------------------------
constexpr std::int64_t kBatch = 1024;
using Batch = std::array<std::uint32_t, kBatch>;

/// Batches stay in the L1 cache; a whole stream would not.
void serial(const Call& call) {
  const auto ranks = call.output<std::uint8_t>(kRank);
  Reader reader(call.input<std::uint8_t>(kBytes).data);
  Ranker ranker;
  Batch batch;
  for (std::int64_t first = 0; first < ranks.size; first += kBatch) {
    const std::int64_t count = std::min(kBatch, ranks.size - first);
    for (std::int64_t i = 0; i < count; ++i) batch[static_cast<std::size_t>(i)] = reader.next();
    for (std::int64_t i = 0; i < count; ++i)
      ranks[first + i] = ranker.rank(batch[static_cast<std::size_t>(i)]);
  }
}

// ---- The idea --------------------------------------------------------------------------------------------
// The stream cannot be cut in two: nobody knows where the second half begins, nor what the list looks like
// there. But the second stage needs only what the first has read so far. Between them is a ring with one
// writer and one reader: each owns one of two counters and only looks at the other's, so no lock is needed.
// The writer publishes its counter after the values (release), the reader looks at it before them (acquire).
//
// A counter that the other core watches travels with every change. Published once a batch, it costs nothing;
// once a number, more than the number itself.

// ---- Optimised: a ring between two threads ----------------------------------------------------------------
/// Numbers pass in batches of kEach; kBatches of them fit. Counters lie on lines of their own.
template <std::int64_t kEach>
struct Ring {
  static constexpr std::int64_t kBatches = 8 * kBatch / kEach;
  alignas(128) std::atomic<std::int64_t> written{0};
  alignas(128) std::atomic<std::int64_t> taken{0};
  alignas(128) std::array<std::array<std::uint32_t, kEach>, kBatches> slots;
};

/// Spins, for the team's threads have their cores to themselves; where they do not, it lets the other one
/// run.
void wait_until(const std::atomic<std::int64_t>& counter, std::int64_t at_least) {
  constexpr int kSpins = 4096;
  for (int spin = 0; counter.load(std::memory_order_acquire) < at_least; ++spin) {
    if (spin >= kSpins) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

template <std::int64_t kEach>
std::shared_ptr<void> prepare(const Setup& /*setup*/) {
  return std::make_shared<Ring<kEach>>();
}

template <std::int64_t kEach>
void pipeline(const Call& call) {
  using R = Ring<kEach>;
  auto& ring = call.plan<R>();
  const auto ranks = call.output<std::uint8_t>(kRank);
  if (call.team().size() < 2) return serial(call);
  ring.written.store(0, std::memory_order_relaxed);
  ring.taken.store(0, std::memory_order_relaxed);
  const std::int64_t batches = (ranks.size + kEach - 1) / kEach;
  const auto count_of = [&](std::int64_t b) { return std::min(kEach, ranks.size - b * kEach); };
  call.team().run([&](int thread, int) {
    if (thread == 0) {
      Reader reader(call.input<std::uint8_t>(kBytes).data);
      for (std::int64_t b = 0; b < batches; ++b) {
        if (b >= R::kBatches) wait_until(ring.taken, b - R::kBatches + 1);
        auto& slot = ring.slots[static_cast<std::size_t>(b % R::kBatches)];
        for (std::int64_t i = 0; i < count_of(b); ++i) slot[static_cast<std::size_t>(i)] = reader.next();
        ring.written.store(b + 1, std::memory_order_release);
      }
    } else if (thread == 1) {
      Ranker ranker;
      for (std::int64_t b = 0; b < batches; ++b) {
        wait_until(ring.written, b + 1);
        const auto& slot = ring.slots[static_cast<std::size_t>(b % R::kBatches)];
        for (std::int64_t i = 0; i < count_of(b); ++i)
          ranks[b * kEach + i] = ranker.rank(slot[static_cast<std::size_t>(i)]);
        ring.taken.store(b + 1, std::memory_order_release);
      }
    }
  });
}

std::optional<std::string> without_second_core(const Params& /*size*/) {
  if (::sysconf(_SC_NPROCESSORS_ONLN) > 1) return std::nullopt;
  return "this machine has one core: two threads that wait for each other would take turns";
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch11/thread_pipeline",
    .title = "Thread pipeline",
    .idea = "Stages that cannot be split run at once, each on a thread of its own.",
    .bound = Bound::synchronisation,
    .tags = {"threads", "queues"},
    .axes = {{.name = "n", .values = {1 << 18}, .quick = {1 << 16}, .small = 2500},
             {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "serial", .run = serial, .note = "both stages in turn, batch by batch, one thread"},
                 {.name = "ring",
                  .run = CallFunction(pipeline<1>),
                  .note = "a thread a stage, numbers pass one by one",
                  .prepare = prepare<1>,
                  .unavailable = without_second_core},
                 {.name = "batches",
                  .run = CallFunction(pipeline<kBatch>),
                  .note = "a thread a stage, 1024 numbers at a time",
                  .prepare = prepare<kBatch>,
                  .unavailable = without_second_core}},
}};

}  // namespace
}  // namespace aisp::thread_pipeline
