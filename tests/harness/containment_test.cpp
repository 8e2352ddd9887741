// SPDX-License-Identifier: Apache-2.0
// What workload code can do to its worker, and what becomes of it: the coordinator survives, names the
// variant and the cause, and measures the rest of the ladder. The same through the program itself:
// tests/integration/worker_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/registry.h"
#include "aisp/device/clock.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/containment.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/notice_board.h"
#include "aisp/harness/worker_process.h"
#include "example.h"

namespace aisp::harness {
namespace {

void steady(const Call& call) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + 50e3; clock.now_ns() < end;) {
  }
  honest(call);
}

/// Does its harm in its n-th call.
CallFunction harmful(void (*harm)(), int n) {
  return [harm, n, calls = 0](const Call& call) mutable {
    if (++calls >= n) harm();
    steady(call);
  };
}
constexpr int kWarmingUp = 2;
constexpr int kMeasured = 90;  // a variant is warmed up with 50 calls at most, and a round may have several

void hang() {
  for (volatile bool on = true; on;) {
  }
}
void grow() {
  for (;;) {
    auto* block = static_cast<char*>(
        mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (block == MAP_FAILED) throw std::bad_alloc();
  }
}
/// Fills memory, one block after the other, until it is refused.
void fill(int sharing, useconds_t pause_us) {
  constexpr std::size_t kBlock = 16 << 20;
  for (;;) {
    auto* block = static_cast<volatile char*>(
        mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0));
    if (block == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t i = 0; i < kBlock; i += 4096) block[i] = 1;
    usleep(pause_us);
  }
}
void flood() {
  const std::string block(1 << 20, 'x');
  for (;;) {
    if (write(1, block.data(), block.size()) < 0) return;
  }
}
void many_threads() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);  // so that the count is reached before the memory limit
  for (int i = 0; i < 2000; ++i) {
    pthread_t thread{};
    pthread_create(&thread, &small, [](void*) -> void* { return pause(), nullptr; }, nullptr);
  }
  hang();
}
void babble() {
  const std::string line = "this is no message\n";
  if (write(3, line.data(), line.size()) < 0) return;
  hang();
}

/// Says again and again that it is another's turn; descriptor 4 is the notice board.
void post() {
  for (NoticeBoard board = NoticeBoard::attach(4);; usleep(10'000)) board.post("harmful");
}

struct Harm {
  const char* name;
  void (*harm)();
  const char* status;
  const char* detail;
};
const Harm kHarms[] = {
    {"crash", [] { ::raise(SIGSEGV); }, "crashed", "SIGSEGV"},
    {"abort", [] { std::abort(); }, "crashed", "SIGABRT"},
    {"exit", [] { _exit(0); }, "exited", "exit code 0"},
    {"throw", [] { throw std::runtime_error("no such plan"); }, "threw", "no such plan"},
    {"throw_odd", [] { throw 42; }, "threw", "not a std::exception"},
    {"hang", hang, "timed out", "no sign of life"},
    {"ignore_sigterm",
     [] {
       signal(SIGTERM, SIG_IGN);
       hang();
     },
     "timed out", "no sign of life"},
    {"desert",
     [] {
       signal(SIGTERM, SIG_IGN);
       setpgid(0, getpgid(getppid()));
       hang();
     },
     "timed out", "no sign of life"},
    {"outlive",
     [] {
       prctl(PR_SET_PDEATHSIG, 0);
       hang();
     },
     "timed out", "no sign of life"},
    {"fork", [] { fork(); }, "forked", "another process"},
    {"memory", grow, "out of memory", "out of memory"},
    {"output", flood, "too much output", "MiB"},
    {"threads", many_threads, "too many threads", "threads"},
    {"babble", babble, "broke the protocol", ""},
};

/// One workload per harm, registered before main() as every workload is.
const bool registered = [] {
  for (const Harm& harm : kHarms) {
    Registry::instance().add(
        example(std::string("harm/") + harm.name,
                {{"honest", steady}, {"harmful", harmful(harm.harm, kWarmingUp)}, {"twin", steady}}));
  }
  const auto slow_filler = harmful([] { fill(MAP_PRIVATE, 40'000); }, kWarmingUp);
  Registry::instance().add(example("harm/slow_filler", {{"honest", steady}, {"harmful", slow_filler}}));
  const auto sharer = harmful([] { fill(MAP_SHARED, 5'000); }, kWarmingUp);
  Registry::instance().add(example("harm/sharer", {{"honest", steady}, {"harmful", sharer}}));
  const auto poster = harmful(post, kWarmingUp);
  Registry::instance().add(example("harm/poster", {{"honest", steady}, {"harmful", poster}}));
  Registry::instance().add(
      example("harm/late", {{"honest", steady}, {"harmful", harmful([] { std::abort(); }, kMeasured)}}));
  Registry::instance().add(
      example("harm/baseline", {{"harmful", harmful([] { std::abort(); }, kWarmingUp)}, {"honest", steady}}));
  return true;
}();

Result<CellResult> measured(const std::string& id, std::vector<int> looks = {12, 24}) {
  const Workload* workload = Registry::instance().find(id);
  const PlannedCell cell{describe(*workload), cell_of(*workload).sizes()};
  Ceilings none;
  RunConfig config;
  config.looks = std::move(looks);
  config.precision = 0.5;
  config.cell_seconds = 5;
  config.timeout_seconds = 1;
  config.memory_limit_bytes = 4e9;
  config.pin = false;
  return measure_cell({.cell = cell, .config = config, .ceilings = none, .config_hash = "test"});
}

/// A directory for temporary files that nobody else uses, for as long as one test needs it.
class OwnTemporary {
 public:
  OwnTemporary() {
    std::string pattern = (std::filesystem::temp_directory_path() / "containment-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", path_.c_str(), 1);
  }
  ~OwnTemporary() {
    before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
    std::filesystem::remove_all(path_);
  }
  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::string path_, before_;
};

void PrintTo(const Harm& harm, std::ostream* out) { *out << harm.name; }

class Contained : public testing::TestWithParam<Harm> {};

TEST_P(Contained, NamedAndTheRestMeasured) {
#ifdef AISP_SANITIZED
  const std::string harm = GetParam().name;
  if (harm == "memory" || harm == "crash" || harm == "threads") GTEST_SKIP() << "the sanitizer takes over";
#endif
  const OwnTemporary temporary;
  const Result<CellResult> cell = measured(std::string("harm/") + GetParam().name);
  ASSERT_TRUE(cell) << cell.error().message;
  const VariantResult& harmful = *cell->find("harmful");
  EXPECT_EQ(harmful.validity, Validity::failed);
  ASSERT_FALSE(harmful.findings.empty());
  EXPECT_EQ(harmful.findings[0].because.rfind(GetParam().status, 0), 0u) << harmful.findings[0].because;
  EXPECT_NE(harmful.findings[0].because.find(GetParam().detail), std::string::npos)
      << harmful.findings[0].because;
  EXPECT_LT(harmful.findings[0].because.size(), 4000u) << "the tail of the output, not all of it";
  for (const char* name : {"honest", "twin"}) {
    EXPECT_NE(cell->find(name)->validity, Validity::failed) << name;
    EXPECT_GE(cell->find(name)->samples.size(), 12u) << name;
  }
  EXPECT_EQ(cell->find("twin")->evidence.sampling.attempts_finished, 3);
  const auto named = [](const AttemptRecord& a) {
    return a.variant == "harmful" && a.status == GetParam().status;
  };
  EXPECT_EQ(std::ranges::count_if(cell->attempts, named), 1) << "recorded as an attempt";
  EXPECT_TRUE(temporary.empty()) << "no leftover file";
}

INSTANTIATE_TEST_SUITE_P(Every, Contained, testing::ValuesIn(kHarms),
                         [](const auto& test) { return std::string(test.param.name); });

// In mid-cell: what was sampled together with the culprit is dropped, and the others are measured again
// without it.
TEST(Containment, AVariantThatFailsWhileMeasuredIsLeftOutAndTheRestMeasuredAgain) {
  const Result<CellResult> cell = measured("harm/late", {240});
  ASSERT_TRUE(cell) << cell.error().message;
  EXPECT_EQ(cell->find("harmful")->validity, Validity::failed);
  EXPECT_GT(cell->rounds.size(), 240u) << "some rounds were over when it failed";
  EXPECT_EQ(std::ranges::count(cell->rounds, "", &RoundRecord::discarded), 240);
  for (const RoundRecord& round : cell->rounds) {
    if (!round.discarded.empty()) continue;
    ASSERT_EQ(round.order.find("harmful"), std::string::npos);
  }
  EXPECT_EQ(std::ranges::count(cell->attempts, "finished", &AttemptRecord::status), 3);
  EXPECT_EQ(std::ranges::count(cell->attempts, "crashed", &AttemptRecord::status), 1);
}

TEST(Containment, ABaselineThatFailsFailsTheCell) {
  const Result<CellResult> cell = measured("harm/baseline");
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->stopped, "failed");
  EXPECT_EQ(cell->validity, Validity::failed);
  EXPECT_EQ(cell->find("harmful")->validity, Validity::failed);
  EXPECT_NE(cell->find("honest")->skipped, "") << "there is nothing to compare it with";
}

WorkerEnd end_of_opening(const std::string& id, const WorkerLimits& limits) {
  Result<WorkerProcess> worker = WorkerProcess::start({.limits = limits});
  if (!worker) return {"not started", worker.error().message, ""};
  const Workload& workload = *Registry::instance().find(id);
  CellSpec cell = cell_of(workload);
  for (const Variant& variant : workload.variants) cell.variants.push_back(variant.name);
  const Answer answer = worker->ask({.op = "open", .cell = cell}, "opened", [](WorkerReply&) {});
  return answer.end.value_or(WorkerEnd{"opened", "", ""});
}

// Where each page is the host's to give, filling the memory of a machine takes longer than a worker may be
// silent; it is a bomb all the same.
TEST(Containment, MemoryThatGrowsSlowlyEndsAsMemoryAndNotAsSilence) {
#ifdef AISP_SANITIZED
  GTEST_SKIP() << "the sanitizer takes over";
#endif
  const WorkerEnd end = end_of_opening(
      "harm/slow_filler", {.silence_seconds = 2, .memory_bytes = 1.6e9, .address_space_bytes = 1.6e9});
  EXPECT_EQ(end.status, "out of memory") << end.detail;
  EXPECT_EQ(end.variant, "harmful");
}

TEST(Containment, NoticesBuyTimeButNotForEver) {
  const WorkerEnd end = end_of_opening("harm/poster", {.silence_seconds = 1});
  EXPECT_EQ(end.status, "timed out") << end.detail;
  EXPECT_NE(end.detail.find("its notices changed"), std::string::npos) << end.detail;
}

TEST(Containment, MemoryThatTheKernelCountsForNobodyIsCountedToo) {
#ifdef AISP_SANITIZED
  GTEST_SKIP() << "the sanitizer takes over";
#endif
  const WorkerEnd end = end_of_opening("harm/sharer", {.silence_seconds = 20, .memory_bytes = 4e8});
  EXPECT_EQ(end.status, "out of memory") << end.detail;
  EXPECT_NE(end.detail.find("the limit is 381 MiB"), std::string::npos) << end.detail;
}

TEST(Containment, WithoutALimitGivenAWorkerGetsWhatIsFree) {
  RunConfig config;
  const WorkerLimits limits = limits_of(config);
  EXPECT_GT(limits.memory_bytes, 0);
  EXPECT_LT(limits.memory_bytes, free_memory_bytes()) << "something is left for the others";
  EXPECT_GT(limits.address_space_bytes, limits.memory_bytes) << "libraries reserve more than they hold";
  config.device = "cuda:0";
  EXPECT_GT(limits_of(config).memory_bytes, 0);
  EXPECT_EQ(limits_of(config).address_space_bytes, 0) << "CUDA reserves more than any machine has";
  config.memory_limit_bytes = 5e9;
  EXPECT_EQ(limits_of(config).memory_bytes, 5e9);
  EXPECT_EQ(limits_of(config).address_space_bytes, 0);
  config.device = "cpu";
  EXPECT_EQ(limits_of(config).address_space_bytes, 5e9);
}

TEST(Containment, TheKernelHoldsAWorkerToItsMemory) {
#ifdef AISP_SANITIZED
  GTEST_SKIP() << "a sanitizer's shadow is larger than any limit";
#endif
  Result<WorkerProcess> worker = WorkerProcess::start({.limits = {.memory_bytes = 3e9}});
  ASSERT_TRUE(worker) << worker.error().message;
  ASSERT_TRUE(worker->ask({.op = "describe"}, "catalogue", [](WorkerReply&) {}).ok());
  rlimit data{};
  ASSERT_EQ(prlimit(worker->pid(), RLIMIT_DATA, nullptr, &data), 0);
  EXPECT_EQ(data.rlim_max, 3'000'000'000u);
}

TEST(Containment, LimitsAreSetBeforeAnyWorkloadCodeIsLoaded) {
  const pid_t child = fork();
  if (child == 0) {
    const Status contained = contain({.memory_limit_bytes = 3e9});
    rlimit core{1, 1}, memory{};
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_AS, &memory);
    int score = 0;
    std::ifstream("/proc/self/oom_score_adj") >> score;
    int wrong = bool(contained) ? 0 : 1;
    wrong |= core.rlim_max == 0 ? 0 : 2;
#ifndef AISP_SANITIZED  // a sanitizer reserves more address space than any limit
    wrong |= memory.rlim_max == 3'000'000'000u ? 0 : 4;
#endif
    wrong |= score == 1000 ? 0 : 8;
    _exit(wrong);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "a bit for each limit that is missing";
}

void expect_death_with_the_coordinator(const char* workload) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t coordinator = fork();
  if (coordinator == 0) {
    Result<WorkerProcess> worker = WorkerProcess::start({});
    const int pid = worker ? worker->pid() : -1;
    // The worker has contained itself once it answers. Then it hangs in a variant: one that waits for a
    // request would see its channel close and end by itself.
    if (worker) static_cast<void>(worker->ask({.op = "describe"}, "catalogue", [](WorkerReply&) {}));
    if (write(ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
    std::thread killer([] {
      usleep(700'000);
      kill(getpid(), SIGKILL);
    });
    const CellSpec spec = cell_of(*Registry::instance().find(workload));
    if (worker) static_cast<void>(worker->ask({.op = "open", .cell = spec}, "opened", [](WorkerReply&) {}));
    killer.join();
  }
  int pid = -1;
  ASSERT_EQ(read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  ASSERT_GT(pid, 0);
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(stat, text);
    const auto name_end = text.rfind(')');
    gone = !stat || name_end == std::string::npos || text[name_end + 2] == 'Z';
    if (!gone) usleep(20'000);
  }
  EXPECT_TRUE(gone);
  if (!gone) kill(pid, SIGKILL);
  close(ends[0]);
  close(ends[1]);
}

TEST(Containment, AWorkerDiesWithItsCoordinator) { expect_death_with_the_coordinator("harm/hang"); }

TEST(Containment, AWorkerCannotTakeBackThatItDiesWithItsCoordinator) {
  expect_death_with_the_coordinator("harm/outlive");
}

}  // namespace
}  // namespace aisp::harness
