// SPDX-License-Identifier: Apache-2.0
// Variants that do their work where the clock does not look: after it has stopped, before a request has come,
// in calls that are not timed, in a handler, or on a thread nobody declared. A guard must name each of them.
// Long because it is a list; each attack stands alone.
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

constexpr std::int64_t kRow = 64;

float heavy(float x) {
  double sum = x;
  for (int i = 0; i < 200; ++i) sum = sum * 0.5 + 0.25 * static_cast<double>(x);
  return static_cast<float>(sum);
}
void spin(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}
std::vector<Distribution> families() { return {uniform(-1, 1), wide_range(-10, 10)}; }
template <std::size_t Input>
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(Input);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[0].value[static_cast<std::size_t>(i)] = static_cast<double>(heavy(x[i]));
}
std::vector<Axis> sizes(std::int64_t n) { return {{.name = "n", .values = {n}, .small = 37}}; }

// ---- Stateful: apply() is timed, finish() is not ------------------------------------------------
struct Honest : Session {
  void apply(const Call& call, std::int64_t first, std::int64_t count) override {
    const auto x = call.input<float>(0);
    const auto y = call.output<float>(0);
    for (std::int64_t i = first; i < first + count; ++i) y[i] = heavy(x[i]);
  }
};
/// Keeps the tensors' addresses, since finish() no longer sees the operations.
struct WorksInFinish : Session {
  View<const float> x;
  View<float> y;
  void apply(const Call& call, std::int64_t, std::int64_t) override {
    x = call.input<float>(0);
    y = call.output<float>(0);
    spin(std::chrono::microseconds(30));
  }
  void finish(const Call&) override {
    for (std::int64_t i = 0; i < x.size; ++i) y[i] = heavy(x[i]);
  }
};
/// Knows from the sample before where the operations will lie, and answers them while the state is loaded.
struct WorksInLoad : Session {
  static inline View<const float> x;
  std::vector<float> answers;
  void load(const Call&) override {
    for (std::int64_t i = 0; i < x.size; ++i) answers.push_back(heavy(x[i]));
  }
  void apply(const Call& call, std::int64_t first, std::int64_t count) override {
    x = call.input<float>(0);
    const auto y = call.output<float>(0);
    spin(std::chrono::microseconds(30));  // a window that the clock resolves
    for (std::int64_t i = first; i < first + count; ++i)
      y[i] = answers.empty() ? heavy(x[i]) : answers[static_cast<std::size_t>(i)];
  }
};
template <class S>
std::unique_ptr<Session> make(const Setup&) {
  return std::make_unique<S>();
}
Problem stateful(const Params& p, bool final) {
  const auto n = p["n"];
  return {.tensors = {input<float>("x", {n}, families()),
                      final ? final_state<float>("y", {n}, exact()) : output<float>("y", {n}, exact())},
          .work = {.bytes = 8.0 * static_cast<double>(n)},
          .operations = n};
}
template <class Liar>
Workload session(const std::string& id, bool final) {
  return {.id = id,
          .title = "Work behind the clock",
          .idea = "Shows what the harness does about work in a call that is not timed.",
          .shape = Shape::stateful,
          .axes = sizes(4096),
          .problem = [final](const Params& p) { return stateful(p, final); },
          .reference = reference<0>,
          .variants = {{.name = "honest", .run = make<Honest>}, {.name = "liar", .run = make<Liar>}}};
}

// ---- Trace: answers are stamped when they are given ---------------------------------------------
void draw_arrivals(const DrawContext&, Rng&, const TensorView& arrivals) {
  for (std::int64_t i = 0; i < arrivals.size; ++i) arrivals.as<std::int64_t>()[i] = i * 1000;
}
Problem trace(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::int64_t>("arrivals", {n}, {drawn_by("even", draw_arrivals)}),
                      input<float>("x", {n, kRow}, families()), output<float>("y", {n, kRow}, exact())},
          .work = {.items = static_cast<double>(n)}};
}
void answer_from(TraceCall& call, View<const float> x, std::int64_t id) {
  std::vector<float> row(kRow);
  for (std::int64_t j = 0; j < kRow; ++j) row[static_cast<std::size_t>(j)] = heavy(x[id * kRow + j]);
  call.answer<float>(id, row);
}
void serve(TraceCall& call) {
  while (call.open())
    if (const auto request = call.try_next()) answer_from(call, call.input<float>(1), request->id);
}
/// Computes all answers before the first request has come.
void foresee(TraceCall& call) {
  const auto x = call.input<float>(1);
  std::vector<float> rows(static_cast<std::size_t>(x.size));
  for (std::int64_t i = 0; i < x.size; ++i) rows[static_cast<std::size_t>(i)] = heavy(x[i]);
  while (call.open()) {
    if (const auto request = call.try_next())
      call.answer<float>(request->id,
                         std::span(rows).subspan(static_cast<std::size_t>(request->id * kRow), kRow));
  }
}
Workload server(const std::string& id, TraceFunction liar) {
  return {.id = id,
          .title = "Work before the request",
          .idea = "Shows what the harness does about answers to requests that have not come.",
          .shape = Shape::trace,
          .goal = Goal::throughput,
          .axes = sizes(64),
          .problem = trace,
          .reference = reference<1>,
          .variants = {{.name = "honest", .run = serve}, {.name = "liar", .run = std::move(liar)}}};
}

// ---- Memory: the attempt that measures it makes few calls ---------------------------------------
void hungry(const Call& call) {
  std::vector<float> space(1 << 19, 1.0F);
  asm volatile("" ::"r"(space.data()) : "memory");
  honest(call);
}
void modest_at_first(const Call& call) {
  static int calls = 0;
  if (calls++ == 0) return spin(std::chrono::milliseconds(1));
  hungry(call);
}
Workload memory() {
  Workload workload = doubling("deferred/memory", "liar", modest_at_first);
  workload.goal = Goal::memory;
  workload.variants.front().run = hungry;
  return workload;
}

// ---- A check that lets half of all wrong answers pass, and says so ------------------------------
struct Careless : AnswerChecker {
  CheckOutcome check(std::span<const TensorView>) const override { return {}; }
  double miss_probability() const override { return 0.5; }
};
Workload careless() {
  Workload workload =
      doubling("deferred/careless", "liar", [](const Call&) { spin(std::chrono::microseconds(1)); });
  workload.reference_is_slow = [](const Params&) { return true; };
  workload.check = [](const CheckSetup&) { return std::make_unique<Careless>(); };
  return workload;
}

// ---- A second thread for a workload that declares one -------------------------------------------
class Helper {
 public:
  Helper() : thread_([this] { loop(); }) {}
  ~Helper() { give(kStop), thread_.join(); }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  void begin() { give(kWork); }
  void end() const { state_.wait(kWork); }

 private:
  enum State : int { kSleep, kWork, kStop };
  void give(State state) {
    state_ = state;
    state_.notify_all();
  }
  void loop() {
    for (;;) {
      state_.wait(kSleep);
      if (state_ == kStop) return;
      spin(std::chrono::microseconds(200));
      give(kSleep);
    }
  }
  std::atomic<int> state_{kSleep};
  std::thread thread_;
};
Workload undeclared_thread() {
  Workload workload = doubling("deferred/undeclared", "liar", [](const Call& call) {
    Helper& helper = call.plan<Helper>();
    helper.begin();
    honest(call);
    spin(std::chrono::microseconds(200));
    helper.end();
  });
  workload.variants[1].prepare = [](const Setup&) { return std::make_shared<Helper>(); };
  return workload;
}

/// A fifth of the work on a thread nobody declared: little enough to be taken for the grain of accounting.
Workload a_fifth() {
  Workload workload = undeclared_thread();
  workload.id = "deferred/fifth";
  const auto takes = [](std::chrono::microseconds time) {
    return [time](const Call& call) {
      honest(call);
      spin(time);
    };
  };
  for (const std::size_t i : {0, 2}) workload.variants[i].run = takes(std::chrono::microseconds(1200));
  workload.variants[1].run = [rest = takes(std::chrono::microseconds(1000))](const Call& call) {
    Helper& helper = call.plan<Helper>();
    helper.begin();
    rest(call);
    helper.end();
  };
  return workload;
}

// ---- The rounds a variant does not like are those whose state it changes ------------------------
void move_to_another_core() {
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (CPU_EQUAL(&one, &cores) == 0 && sched_setaffinity(0, sizeof one, &one) == 0) return;
  }
}
Workload own_rounds() {
  return doubling("deferred/rounds", "liar", [](const Call& call) {
    static int calls = 0;
    honest(call);
    if (++calls % 20 == 0) move_to_another_core();  // whenever it was slow, say
  });
}

/// Only in calls before the clock: those have the same tensors again and again.
Workload before_the_clock() {
  return doubling("deferred/before", "liar", [](const Call& call) {
    static const float* last = nullptr;
    honest(call);
    const float* now = call.input<float>(0).data;
    if (std::exchange(last, now) == now) move_to_another_core();
  });
}

// ---- The measuring thread itself, after the return ----------------------------------------------
/// Calls that were only noted; a handler works them off.
std::vector<std::pair<const float*, float*>> noted;
constexpr std::int64_t kNoted = 4096;
void work_off(int) {
  for (const auto& [x, y] : noted)
    for (std::int64_t i = 0; i < kNoted; ++i) y[i] = 2 * x[i];
  noted.clear();
}
void note(const Call& call) {
  if (noted.capacity() == 0) noted.reserve(1 << 16);
  noted.emplace_back(call.input<float>(0).data, call.output<float>(0).data);
}
/// A timer that every call sets anew, so that it runs out when the harness has just read its clock.
Workload by_timer() {
  return doubling("deferred/timer", "liar", [](const Call& call) {
    note(call);
    std::signal(SIGALRM, work_off);
    const itimerval soon{.it_interval = {}, .it_value = {0, 4}};
    setitimer(ITIMER_REAL, &soon, nullptr);
    spin(std::chrono::microseconds(1));
  });
}
/// The outputs cannot be read before the handler of the fault has computed them.
void protect(float* y, int how) {
  mprotect(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(y) & ~std::uintptr_t{4095}), 4 * kNoted,
           how);
}
void open_and_work_off(int) {
  if (noted.empty()) std::signal(SIGSEGV, SIG_DFL);  // a fault of another kind
  for (const auto& [x, y] : noted) protect(y, PROT_READ | PROT_WRITE);
  work_off(0);
}
Workload by_fault() {
  return doubling("deferred/fault", "liar", [](const Call& call) {
    note(call);
    std::signal(SIGSEGV, open_and_work_off);
    protect(noted.back().second, PROT_NONE);
    spin(std::chrono::microseconds(1));
  });
}

const Registration deferred[] = {
    session<WorksInFinish>("deferred/finish", false),
    session<WorksInFinish>("deferred/final_state", true),
    session<WorksInLoad>("deferred/load", false),
    server("deferred/foresee", foresee),
    memory(),
    careless(),
    undeclared_thread(),
    a_fifth(),
    own_rounds(),
    before_the_clock(),
    by_timer(),
    by_fault(),
};

}  // namespace
}  // namespace aisp::plugins
