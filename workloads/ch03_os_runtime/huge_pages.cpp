// SPDX-License-Identifier: Apache-2.0
// Huge pages                                                 chapter 3, operating system and runtime
// The idea:          one 2 MB page instead of 512 of 4 KB, so that a random address is translated at once.
// What bounds it:    latency of memory and of translation. A core remembers some 2,000 translations: 8 MB
//                    of small pages or 4 GB of huge ones. At slots=2^22 the table is 256 MB, so almost every
//                    one of the 2^20 accesses also walks the page table, in a virtual machine that of the
//                    host as well: about 35 ns per access with small pages, 12 ns with huge ones.
// What to look for:  `perf stat -e dtlb_load_misses.walk_active`; AnonHugePages in /proc/self/smaps, reported
//                    here as the metric `huge_share`.
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "aisp/aisp.h"

namespace aisp::huge_pages {
namespace {

enum { kKey, kValue, kProbe };
enum { kFound };

// ---- The problem --------------------------------------------------------------------------------
// A table with one cache line per slot. n values are stored, value[i] in slot key[i], the last one
// staying; then n slots are looked up. Only slots that were stored are looked up, so the table needs no
// clearing in between.
struct alignas(64) Slot {
  std::uint32_t value;
};

/// One slot in each small page, on changing lines: no two accesses share a translation, and slots are stored
/// several times over.
void draw_one_per_page(const DrawContext& context, Rng& rng, const TensorView& tensor) {
  constexpr std::int64_t kPerPage = 4096 / sizeof(Slot);
  const std::int64_t pages = std::max<std::int64_t>(1, context.params["slots"] / kPerPage);
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    const auto page = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(pages)));
    tensor.set(i,
               static_cast<double>(std::min(page * kPerPage + page % kPerPage, context.params["slots"] - 1)));
  }
}
void draw_probes(const DrawContext& context, Rng& rng, const TensorView& tensor) {
  const TensorView& key = context.drawn[kKey];
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    tensor.set(i, key.value(static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(key.size)))));
  }
}

Problem problem(const Params& p) {
  const auto n = p["n"], slots = p["slots"];
  return {.tensors = {input<std::int32_t>(
                          "key", {n}, {integers(0, slots - 1), drawn_by("one_per_page", draw_one_per_page)}),
                      input<std::uint32_t>("value", {n}, {integers(0, 0x7fffffff)}),
                      input<std::int32_t>("probe", {n}, {drawn_by("stored", draw_probes)}),
                      output<std::uint32_t>("found", {n}, exact())},
          .work = {.bytes = 16.0 * static_cast<double>(n), .items = 2.0 * static_cast<double>(n)},
          .workspace_bytes = static_cast<std::size_t>(slots) * sizeof(Slot)};
}

// ---- Reference ----------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto key = call.input<std::int32_t>(kKey), probe = call.input<std::int32_t>(kProbe);
  const auto value = call.input<std::uint32_t>(kValue);
  std::vector<std::uint32_t> table(call.params["slots"]);
  for (std::int64_t i = 0; i < key.size; ++i) table[key[i]] = value[i];
  for (std::int64_t i = 0; i < probe.size; ++i) call.outputs[kFound].value[i] = table[probe[i]];
}

// ---- What the variants share: a table in pages of a chosen size ---------------------------------
constexpr std::size_t kHuge = std::size_t{2} << 20;

class Table {
 public:
  /// `advice` is MADV_HUGEPAGE or MADV_NOHUGEPAGE. Every page is touched here, so that no call pays a fault.
  Table(std::int64_t slots, int advice)
      : bytes_((static_cast<std::size_t>(slots) * sizeof(Slot) + kHuge - 1) / kHuge * kHuge) {
    base_ = ::mmap(nullptr, bytes_ + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    AISP_CHECK(base_ != MAP_FAILED, "no memory for the table");
    const auto address = (reinterpret_cast<std::uintptr_t>(base_) + kHuge - 1) / kHuge * kHuge;
    slots_ = reinterpret_cast<Slot*>(address);
    ::madvise(slots_, bytes_, advice);
    std::memset(static_cast<void*>(slots_), 0, bytes_);
    huge_share_ = measure_huge_share();
  }
  ~Table() { ::munmap(base_, bytes_ + kHuge); }
  Table(const Table&) = delete;

  Slot* slots() const { return slots_; }
  double huge_share() const { return huge_share_; }

 private:
  /// What the kernel gave, which may be less than was asked for.
  double measure_huge_share() const {
    std::ifstream smaps("/proc/self/smaps");
    const auto wanted = reinterpret_cast<std::uintptr_t>(slots_);
    bool inside = false;
    for (std::string line; std::getline(smaps, line);) {
      unsigned long from = 0, to = 0, kilobytes = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) inside = from <= wanted && wanted < to;
      if (inside && std::sscanf(line.c_str(), "AnonHugePages: %lu kB", &kilobytes) == 1) {
        return static_cast<double>(kilobytes) * 1024 / static_cast<double>(bytes_);
      }
    }
    return 0;
  }

  std::size_t bytes_;
  void* base_ = nullptr;
  Slot* slots_ = nullptr;
  double huge_share_ = 0;
};

void store_and_look_up(const Call& call) {
  const auto& table = call.plan<Table>();
  Slot* const slots = table.slots();
  const auto key = call.input<std::int32_t>(kKey), probe = call.input<std::int32_t>(kProbe);
  const auto value = call.input<std::uint32_t>(kValue);
  const auto found = call.output<std::uint32_t>(kFound);
  for (std::int64_t i = 0; i < key.size; ++i) slots[key[i]].value = value[i];
  for (std::int64_t i = 0; i < probe.size; ++i) found[i] = slots[probe[i]].value;
  call.metric("huge_share", table.huge_share());
}

// ---- Baseline: pages of 4 KB, what malloc gives on most systems ---------------------------------
std::shared_ptr<void> small_pages(const Setup& setup) {
  return std::make_shared<Table>(setup.params["slots"], MADV_NOHUGEPAGE);
}

// ---- The idea -----------------------------------------------------------------------------------
// Each access needs the physical address of its page. Translations are cached in a small table (TLB);
// what is not there is found by walking four levels of page tables, up to 24 loads in a virtual machine,
// and the leaf entries of a 256 MB table are 512 KB of their own, competing for cache. A page of 2 MB
// needs one entry where there were 512, and one level less to walk. The code does not change: memory is
// aligned to 2 MB and madvise() asks for huge pages before it is first touched. Sequential work gains
// nothing, since one walk serves 4 KB of data, and sparse tables waste the rest of each huge page.

// ---- Optimized: the same table, in pages of 2 MB ------------------------------------------------
std::shared_ptr<void> huge_pages(const Setup& setup) {
  return std::make_shared<Table>(setup.params["slots"], MADV_HUGEPAGE);
}
std::optional<std::string> without_huge_pages(const Params& /*size*/) {
  std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  if (!std::getline(setting, modes)) return "this kernel has no transparent huge pages";
  if (modes.find("[never]") == std::string::npos) return std::nullopt;
  return "transparent huge pages are off (/sys/kernel/mm/transparent_hugepage/enabled)";
}

const Registration registered{{
    .id = "ch03/huge_pages",
    .title = "Huge pages",
    .idea = "One 2 MB page instead of 512 of 4 KB, so that a random address is translated at once.",
    .bound = Bound::latency,
    .tags = {"tlb", "memory"},
    .axes = {{.name = "slots", .values = {1 << 20, 1 << 22}, .quick = {1 << 22}, .small = 12345},
             {.name = "n", .values = {1 << 19}, .small = 1001}},
    .problem = problem,
    .reference = reference,  // exact: values are moved
    .variants =
        {{.name = "small_pages", .run = store_and_look_up, .note = "pages of 4 KB", .prepare = small_pages},
         {.name = "huge_pages",
          .run = store_and_look_up,
          .note = "pages of 2 MB",
          .prepare = huge_pages,
          .unavailable = without_huge_pages}},
}};

}  // namespace
}  // namespace aisp::huge_pages
