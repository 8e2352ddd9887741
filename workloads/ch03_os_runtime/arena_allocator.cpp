// SPDX-License-Identifier: Apache-2.0
// Arena allocator                                            chapter 3, operating system and runtime
// The idea:          keep freed blocks in one list per size, owned by one thread.
// What bounds it:    bookkeeping. A general allocator must split, merge and search, and a block released by
//                    another thread goes back to its maker's heap, behind a lock; taking the head of a list
//                    is one load and one store. At slots=16384, threads=2 each thread makes 135,168
//                    operations, about 85 ns each with malloc and 42 ns with lists, of which some 30 ns
//                    write or sum the block and mispredict its length: that part stays.
// What to look for:  `perf record`: time in _int_malloc, _int_free and __lll_lock_wait disappears. With one
//                    thread and few live blocks there is little to gain: malloc keeps a small cache itself.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "aisp/aisp.h"

namespace aisp::arena_allocator {
namespace {

enum { kSlot, kWords, kTag };  // inputs
enum { kResult, kLeft };       // outputs
constexpr std::int64_t kMaxWords = 64;
constexpr std::int64_t kOperationsPerSlot = 16;
constexpr int kPhases = 8;
/// What `left` says of an empty slot: different for each, so that no shift hides among them.
std::uint32_t empty_mark(std::int64_t slot) { return static_cast<std::uint32_t>(slot) + 1; }

// ---- The problem --------------------------------------------------------------------------------
// Operation i toggles slot[i]. An empty slot gets a block of words[i] words, filled from tag[i]; a full
// one is summed and released. Sums prove that no two live blocks overlap and that none was moved. The
// sequence runs in phases; in each, a thread has a part of the operations and a part of the slots to
// itself, and in the next phase the slots change hands: blocks are released by other threads than made
// them, as in every pipeline.
struct Part {
  std::int64_t first;
  std::int64_t last;
};
Part part_of(const Part& whole, int i, int count) {
  const std::int64_t size = whole.last - whole.first;
  return {whole.first + size * i / count, whole.first + size * (i + 1) / count};
}
/// Threads that take part: each needs a slot to itself.
int sharers(const Params& p) { return static_cast<int>(std::min<std::int64_t>(threads_of(p), p["slots"])); }
/// `choose(k, count)` names the k-th operation's slot among the `count` slots of one part.
template <class Choose>
void draw_slots(const DrawContext& context, const TensorView& tensor, Choose choose) {
  const int threads = sharers(context.params);
  std::vector<std::int64_t> used(threads);
  for (int phase = 0; phase < kPhases; ++phase) {
    for (int t = 0; t < threads; ++t) {
      const Part operations = part_of(part_of({0, tensor.size}, phase, kPhases), t, threads);
      const int owned = (t + phase) % threads;
      const Part slots = part_of({0, context.params["slots"]}, owned, threads);
      for (std::int64_t i = operations.first; i < operations.last; ++i) {
        const auto slot = slots.first + choose(used[owned]++, slots.last - slots.first);
        tensor.set(i, static_cast<double>(slot));
      }
    }
  }
}
/// Lifetimes without pattern: the heap fragments.
void draw_random_slots(const DrawContext& context, Rng& rng, const TensorView& tensor) {
  draw_slots(context, tensor, [&](std::int64_t, std::int64_t count) {
    return static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(count)));
  });
}
/// All slots are filled in turn, then emptied in turn: every wave releases everything.
void draw_waves(const DrawContext& context, Rng&, const TensorView& tensor) {
  draw_slots(context, tensor, [](std::int64_t k, std::int64_t count) { return k % count; });
}
/// Log-uniform sizes, 16 to 256 bytes: most blocks are small, most bytes are in large ones.
void draw_sizes(const DrawContext&, Rng& rng, const TensorView& tensor) {
  for (std::int64_t i = 0; i < tensor.size; ++i) tensor.set(i, std::round(std::exp2(rng.uniform(2, 6))));
}

Problem problem(const Params& p) {
  const auto slots = p["slots"], operations = kOperationsPerSlot * slots + slots / 2;
  return {
      .tensors = {input<std::int32_t>("slot", {operations},
                                      {drawn_by("random", draw_random_slots), drawn_by("waves", draw_waves)}),
                  input<std::int32_t>("words", {operations},
                                      {drawn_by("log_uniform", draw_sizes), integers(4, kMaxWords)}),
                  input<std::uint32_t>("tag", {operations}, {integers(0, 0xffffffff)}),
                  output<std::uint32_t>("result", {operations}, exact()),
                  final_state<std::uint32_t>("left", {slots}, exact())},
      .work = {.items = static_cast<double>(operations)},
      .operations = operations,
      .workspace_bytes = static_cast<std::size_t>(2 * slots * kMaxWords * 4)};
}

std::uint32_t word_of(std::uint32_t tag, std::uint32_t j) { return tag + j; }

// ---- Reference: what the blocks hold, without any block -----------------------------------------
void reference(const ReferenceCall& call) {
  const auto slot = call.input<std::int32_t>(kSlot), words = call.input<std::int32_t>(kWords);
  const auto tag = call.input<std::uint32_t>(kTag);
  std::vector<double>& left = call.outputs[kLeft].value;
  std::vector<bool> full(left.size());
  for (std::size_t s = 0; s < left.size(); ++s) left[s] = empty_mark(static_cast<std::int64_t>(s));
  for (std::int64_t i = 0; i < slot.size; ++i) {
    const std::int32_t s = slot[i];
    full[s] = !full[s];
    if (full[s]) {
      std::uint32_t sum = 0;
      for (std::int32_t j = 0; j < words[i]; ++j) sum += word_of(tag[i], static_cast<std::uint32_t>(j));
      call.outputs[kResult].value[i] = tag[i];
      left[s] = sum;
    } else {
      call.outputs[kResult].value[i] = left[s];
      left[s] = empty_mark(s);
    }
  }
}

// ---- What the allocators share: slots, and proof that a block is sound --------------------------
struct Block {
  std::uint32_t* data = nullptr;
  std::size_t words = 0;
};

std::uint32_t sum_of(const Block& block) {
  std::uint32_t sum = 0;
  for (std::size_t j = 0; j < block.words; ++j) sum += block.data[j];
  return sum;
}

/// Allocator: allocate(bytes), release(pointer, bytes); one per thread.
template <class Allocator>
class Slots : public Session {
 public:
  explicit Slots(const Setup& setup) : sharers_(sharers(setup.params)), blocks_(setup.params["slots"]) {
    for (int t = 0; t < setup.threads; ++t) {
      allocators_.push_back(std::make_unique<Allocator>(blocks_.size() / setup.threads + 1));
    }
  }
  ~Slots() override { release_all(); }

  /// Fills and empties all slots once, so that no operation pays for the heap's first growth. One block per
  /// thread stays until the end: it keeps the heap from being handed back.
  void load(const Call& call) override {
    pins_.resize(allocators_.size());
    call.team().run([&](int thread, int threads) {
      Allocator& allocator = *allocators_[thread];
      const Part mine = part_of({0, std::ssize(blocks_)}, thread, threads);
      for (std::int64_t s = mine.first; s < mine.last; ++s) {
        fill(allocator, blocks_[s], static_cast<std::size_t>(4 + s % (kMaxWords - 3)), 0);
      }
      fill(allocator, pins_[thread], kMaxWords, 0);
      for (std::int64_t s = mine.first; s < mine.last; ++s) empty(allocator, blocks_[s]);
    });
  }

  void apply(const Call& call, std::int64_t first, std::int64_t count) override {
    const auto slot = call.input<std::int32_t>(kSlot), words = call.input<std::int32_t>(kWords);
    const auto tag = call.input<std::uint32_t>(kTag);
    const auto result = call.output<std::uint32_t>(kResult);
    for (int phase = 0; phase < kPhases; ++phase) {
      const Part whole = part_of({0, slot.size}, phase, kPhases);
      if (whole.last <= first || whole.first >= first + count) continue;
      call.team().run([&](int thread, int) {
        if (thread >= sharers_) return;
        Allocator& allocator = *allocators_[thread];
        const Part mine = part_of(whole, thread, sharers_);
        const std::int64_t end = std::min(mine.last, first + count);
        for (std::int64_t i = std::max(mine.first, first); i < end; ++i) {
          Block& block = blocks_[slot[i]];
          if (block.data == nullptr) {
            fill(allocator, block, static_cast<std::size_t>(words[i]), tag[i]);
            // A misaligned block gives a wrong answer.
            result[i] =
                tag[i] + static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(block.data) % 16);
          } else {
            result[i] = sum_of(block);
            empty(allocator, block);
          }
        }
      });
    }
  }

  void finish(const Call& call) override {
    const auto left = call.output<std::uint32_t>(kLeft);
    for (std::int64_t s = 0; s < left.size; ++s)
      left[s] = blocks_[s].data != nullptr ? sum_of(blocks_[s]) : empty_mark(s);
    release_all();
  }

 private:
  static void fill(Allocator& allocator, Block& block, std::size_t words, std::uint32_t tag) {
    block = {static_cast<std::uint32_t*>(allocator.allocate(words * 4)), words};
    for (std::uint32_t j = 0; j < words; ++j) block.data[j] = word_of(tag, j);
  }
  static void empty(Allocator& allocator, Block& block) {
    allocator.release(block.data, block.words * 4);
    block = {};
  }
  void release_all() {
    for (std::vector<Block>* blocks : {&blocks_, &pins_}) {
      for (Block& block : *blocks) {
        if (block.data != nullptr) empty(*allocators_.front(), block);
      }
    }
  }

  int sharers_;
  std::vector<Block> blocks_;
  std::vector<Block> pins_;
  std::vector<std::unique_ptr<Allocator>> allocators_;
};

// ---- Baseline: the C library's allocator, which is good and must be general ---------------------
struct Malloc {
  explicit Malloc(std::size_t) {}
  void* allocate(std::size_t bytes) { return std::malloc(bytes); }
  void release(void* block, std::size_t) { std::free(block); }
};

// ---- The idea -----------------------------------------------------------------------------------
// Most programs ask for the same few sizes again and again. Round sizes up to a multiple of 16, keep a
// list of free blocks for each, and let the first word of a free block point to the next: allocating is
// taking the head, releasing is pushing it. Nothing is split or merged, nothing is searched, no header
// is stored in front of a block, and nothing is locked, since a list belongs to one thread: a block made
// elsewhere simply joins the list of the thread that releases it. New blocks are cut from a slab by
// moving a pointer. The price: memory freed in one size never serves another, a block must be released
// with its size, and slabs go back all together at the end.

// ---- Optimized: a list per size over a slab -----------------------------------------------------
class SizeLists {
 public:
  explicit SizeLists(std::size_t slots) : slab_bytes_(slots * kMaxWords * 4 + (64 << 10)) { add_slab(); }

  void* allocate(std::size_t bytes) {
    const std::size_t size = (bytes + 15) / 16;
    if (Free* head = lists_[size]) {
      lists_[size] = head->next;
      return head;
    }
    if (cursor_ + size > end_) add_slab();
    return std::exchange(cursor_, cursor_ + size);
  }
  void release(void* block, std::size_t bytes) {
    Free*& head = lists_[(bytes + 15) / 16];
    head = new (block) Free{head};
  }

 private:
  struct Free {
    Free* next;
  };
  struct alignas(16) Unit {
    std::byte bytes[16];
  };
  void add_slab() {
    slabs_.push_back(std::make_unique<Unit[]>(slab_bytes_ / 16));  // zeroed, so that its pages are there
    cursor_ = slabs_.back().get();
    end_ = cursor_ + slab_bytes_ / 16;
  }

  Free* lists_[kMaxWords * 4 / 16 + 1] = {};
  Unit* cursor_ = nullptr;
  Unit* end_ = nullptr;
  std::size_t slab_bytes_;
  std::vector<std::unique_ptr<Unit[]>> slabs_;
};

template <class Allocator>
std::unique_ptr<Session> open_session(const Setup& setup) {
  return std::make_unique<Slots<Allocator>>(setup);
}

const Registration registered{{
    .id = "ch03/arena_allocator",
    .title = "Arena allocator",
    .idea = "Keep freed blocks in one list per size, owned by one thread.",
    .shape = Shape::stateful,
    .bound = Bound::latency,
    .tags = {"allocation"},
    .axes = {{.name = "slots", .values = {1024, 16384}, .quick = {1024}, .small = 21},
             {.name = "threads", .values = {1, 2}, .quick = {2}, .small = 2}},
    .problem = problem,
    .reference = reference,  // exact: words are stored and summed modulo 2^32
    .variants = {{.name = "malloc", .run = open_session<Malloc>, .note = "the C library"},
                 {.name = "size_lists",
                  .run = open_session<SizeLists>,
                  .note = "a list per size and thread"}},
}};

}  // namespace
}  // namespace aisp::arena_allocator
