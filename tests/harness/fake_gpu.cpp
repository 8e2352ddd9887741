// SPDX-License-Identifier: Apache-2.0
// Long because it is a whole device: each of its parts is small and stands for one interface of device/gpu.
#include "fake_gpu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include <unistd.h>

#include "aisp/core/checker.h"
#include "aisp/device/clock.h"
#include "aisp/device/gpu/content_sum.h"
#include "aisp/device/gpu/gpu_error.h"
#include "aisp/device/line_words.h"

namespace aisp::harness {
namespace {

using device::GpuError;
using device::GpuFault;

// How long the gate holds against a call that waits for the device.
constexpr std::chrono::milliseconds kPatience{20};

FakeFaults faults;
FakeStream* second_stream = nullptr;
std::map<const std::byte*, std::size_t> unpinned;  ///< host memory that the device does not see, by its start

/// What a device says that is given an address of the host's alone.
void must_see(const std::byte* data) {
  auto after = unpinned.upper_bound(data);
  if (after == unpinned.begin()) return;
  const auto& [begin, bytes] = *--after;
  if (data < begin + bytes) throw GpuError(GpuFault::sticky, "an illegal memory access: not pinned");
}

/// What ran, while somebody records.
class FakeRecorder : public device::ActivityRecorder {
 public:
  std::optional<std::string> start() override {
    const std::lock_guard lock(mutex_);
    on_ = true;
    seen_.clear();
    return std::nullopt;
  }
  std::vector<device::Activity> stop() override {
    const std::lock_guard lock(mutex_);
    on_ = false;
    std::ranges::sort(seen_, {}, &device::Activity::start_ns);
    return std::move(seen_);
  }
  void add(const device::Activity& activity) {
    const std::lock_guard lock(mutex_);
    if (on_) seen_.push_back(activity);
  }
  std::uint64_t dropped() const override { return 0; }
  std::uint64_t unrecorded_launches() const override { return 0; }
  std::vector<std::string> blind_to() const override { return {}; }
  bool sees(device::Activity::Kind kind) const override {
    if (kind == faults.refused) return false;
    return kind != device::Activity::Kind::unified_memory || !faults.no_unified_memory;
  }
  bool knows_launching_code() const override { return !faults.unreadable_code; }
  std::uint32_t device() const override { return 0; }
  double now_ns() const override { return device::Clock::instance().now_ns(); }
  std::optional<std::uint64_t> number_of(void* stream) const override {
    return reinterpret_cast<std::uint64_t>(stream);
  }

 private:
  std::mutex mutex_;
  bool on_ = false;
  std::vector<device::Activity> seen_;
};

FakeRecorder& recorder() {
  static FakeRecorder one;
  return one;
}

/// Counts what the problem's data would be: nothing is missing here.
class FakeCounters : public device::CounterReader {
 public:
  std::optional<std::string> open(const std::vector<device::CounterGroup>& /*groups*/) override {
    return "threads have no counters";
  }
  device::Counters measure(const std::function<void()>& call,
                           const std::function<void()>& before_pass) override {
    before_pass();
    call();
    return {};
  }
};

class FakeSensors : public device::SensorReader {
 public:
  std::optional<std::string> unavailable() const override { return std::nullopt; }
  device::Sensors read() override {
    device::Sensors now;
    now.processes.emplace();
    if (!faults.unlisted) now.processes->push_back({.pid = static_cast<std::uint32_t>(getpid())});
    if (faults.other_processes > 0) now.processes->push_back({.pid = 1});
    if (faults.other_processes > 1) now.mps_processes.emplace(1, device::GpuProcess{.pid = 2});
    return now;
  }
  device::SensorSample sample() override {
    device::SensorSample now;
    now.sm_mhz = faults.slower_clock && ++samples_ % 2 == 0 ? 900 : 1800;
    now.throttling.emplace();
    return now;
  }
  std::optional<double> joules() override {
    if (faults.watts == 0) return std::nullopt;
    return faults.watts * std::floor(device::Clock::instance().now_ns() / 20e6) * 20e-3;
  }
  std::string energy_counter() const override { return "steps"; }
  std::optional<double> watt_limit() override {
    return faults.watt_limit > 0 ? std::optional(faults.watt_limit) : std::nullopt;
  }

 private:
  int samples_ = 0;
};

class FakeMemory : public device::GpuMemory {
 public:
  std::byte* allocate(std::size_t bytes) override {
    if (++allocations_ == faults.fail_allocation || used_ + bytes > faults.memory_bytes)
      throw GpuError(GpuFault::out_of_memory, "allocating a tensor: out of memory");
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
    used_ += bytes;
    sizes_[memory] = bytes;
    return memory;
  }
  void release(std::byte* memory) noexcept override {
    used_ -= sizes_[memory];
    std::free(memory);
  }
  void upload(std::byte* to, const void* from, std::size_t bytes) override {
    alive();
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const std::byte* from, std::size_t bytes) override {
    alive();
    std::memcpy(to, from, bytes);
  }
  void clear(std::byte* memory, std::size_t bytes) override { std::memset(memory, 0, bytes); }
  std::size_t free_bytes() override { return faults.memory_bytes - used_; }
  std::byte* allocate_on_host(std::size_t bytes) override { return allocate(bytes); }
  void release_on_host(std::byte* memory) noexcept override {
    unpinned.erase(memory);
    release(memory);
  }
  void pin(std::byte* memory) override { unpinned.erase(memory); }
  void unpin(std::byte* memory) override { unpinned[memory] = sizes_.at(memory); }

 private:
  static void alive() {
    if (faults.lost) throw GpuError(GpuFault::lost, "copying: the device is gone");
  }

  int allocations_ = 0;
  std::size_t used_ = 0;
  std::map<std::byte*, std::size_t> sizes_;
};

class FakeData : public device::GpuData {
 public:
  void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) override {
    must_see(begin);
    device::fill_lines(begin, bytes, seed, set);
  }
  device::LineDamage lines_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed) override {
    return differences(begin, lines(bytes, seed, 0));
  }
  void poison(const TensorView& tensor, std::uint64_t seed) override {
    device::fill_lines(tensor.data, tensor.bytes(), seed, device::poison_bits(tensor.dtype));
  }
  std::uint64_t poison_left(const TensorView& tensor, std::uint64_t seed) override {
    const auto expected = lines(tensor.bytes(), seed, device::poison_bits(tensor.dtype));
    const std::size_t width = is_floating(tensor.dtype) ? size_of(tensor.dtype) : 8;
    std::uint64_t left = 0;
    for (std::size_t at = 0; at + width <= expected.size(); at += width)
      left +=
          std::memcmp(tensor.data + at, expected.data() + at, width) == 0 ? width / size_of(tensor.dtype) : 0;
    return left;
  }
  std::uint64_t checksum(const std::byte* begin, std::size_t bytes) override {
    must_see(begin);
    return device::content_sum(begin, bytes);
  }
  bool draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) override {
    if (form.kind != DrawForm::Kind::uniform) return false;  // the rest comes from the host, as it may
    const Params none;
    Rng rng(stream);
    uniform(form.first, form.second).draw({none, {}, 0}, rng, tensor);
    return true;
  }
  void compare(const TensorSpec& spec, const TensorView& got, const device::WideOnDevice& want,
               CheckOutcome& outcome) override {
    const auto size = static_cast<std::size_t>(got.size);
    WideTensor wide{.value{want.value, want.value + size}, .scale{want.scale, want.scale + size}};
    for (std::size_t i = 0; i < size; ++i)
      if (wide.scale[i] == 0) wide.scale[i] = wide.value[i] < 0 ? -wide.value[i] : wide.value[i];
    compare_tensor(spec, got, wide, outcome);
  }
  device::Looks looks_of(const TensorView& tensor) override {
    device::Looks looks{.constant = tensor.size > 1};
    for (std::int64_t i = 0; i < tensor.size; ++i) {
      looks.constant = looks.constant && tensor.value(i) == tensor.value(0);
      looks.not_finite = looks.not_finite || !(tensor.value(i) - tensor.value(i) == 0);
    }
    return looks;
  }

 private:
  static std::vector<std::byte> lines(std::size_t bytes, std::uint64_t seed, std::uint64_t set) {
    std::vector<std::byte> expected(bytes);
    device::fill_lines(expected.data(), bytes, seed, set);
    return expected;
  }
  static device::LineDamage differences(const std::byte* begin, const std::vector<std::byte>& expected) {
    device::LineDamage damage;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (begin[i] == expected[i]) continue;
      if (damage.count++ == 0) damage.first = i;
      damage.last = i;
    }
    return damage;
  }
};

class FakeTiming : public device::GpuTiming {
 public:
  FakeTiming() { second_stream = &second_; }
  ~FakeTiming() override { second_stream = nullptr; }

  device::GpuOverhead overhead(const device::GpuCall& /*call*/) override {
    return {.ns = 0, .launch_ns = 3000, .launches = 1};
  }
  device::GpuReading time(const device::GpuCall& call) override {
    wait();
    device::GpuReading reading{.held = true};
    gate_.close();
    stream_.hold();
    double start = 0, end = 0;
    stream_.mark([&] { start = clock_.now_ns(); });
    const double called = clock_.now_ns();
    call(&stream_);
    reading.host_ns = clock_.now_ns() - called;
    stream_.mark([&] { end = clock_.now_ns(); });
    const double opened = clock_.now_ns();
    gate_.open();
    stream_.drain();
    reading.wall_ns = clock_.now_ns() - opened;
    second_.drain();
    reading.late_ns = clock_.now_ns() - opened - reading.wall_ns;
    reading.device_ns = (end - start) * fake_faults().clock_runs;
    reading.expired = gate_.expired();
    return reading;
  }
  device::GpuReading time_call(const device::GpuCall& call) override {
    wait();
    const double start = clock_.now_ns();
    call(&stream_);
    const double returned = clock_.now_ns();
    wait();
    return {.host_ns = returned - start, .wall_ns = clock_.now_ns() - start, .held = true};
  }
  void run(const device::GpuCall& call) override {
    call(&stream_);
    wait();
  }
  void* stream() const override { return const_cast<FakeStream*>(&stream_); }
  void flush_cache() override {}
  std::size_t cache_bytes() const override { return std::size_t{1} << 16; }
  double resolution_ns() const override { return clock_.resolution_ns(); }

 private:
  void wait() {
    stream_.drain();
    second_.drain();
  }

  const device::Clock& clock_ = device::Clock::instance();
  FakeGate gate_;
  FakeStream stream_{gate_}, second_{gate_};
};

class FakeGpu : public device::Gpu {
 public:
  const device::GpuFacts& facts() const override { return facts_; }
  device::GpuMemory& memory() override { return memory_; }
  device::GpuData& data() override { return data_; }
  device::GpuTiming& timing() override { return timing_; }
  device::ActivityRecorder& recorder() override { return harness::recorder(); }
  device::CounterReader& counters() override { return counters_; }
  device::SensorReader& sensors() override { return sensors_; }
  Ceilings measure_ceilings() override { return {.hardware = facts_.name}; }

 private:
  device::GpuFacts facts_{.name = "threads", .driver = "none", .multiprocessors = 2, .memory_bytes = 1 << 30};
  FakeMemory memory_;
  FakeData data_;
  FakeTiming timing_;
  FakeCounters counters_;
  FakeSensors sensors_;
};

Result<std::unique_ptr<device::Gpu>> open_fake(int /*index*/, device::GpuUse /*use*/) {
  if (faults.missing) return Error{ErrorCode::environment, "cuda:0 is not available: no device", "get one"};
  return std::unique_ptr<device::Gpu>(std::make_unique<FakeGpu>());
}

const device::GpuBackend backend{"cuda", open_fake};

}  // namespace

FakeFaults& fake_faults() { return faults; }

bool fake_sees(const void* data) {
  try {
    must_see(static_cast<const std::byte*>(data));
    return true;
  } catch (const GpuError&) {
    return false;
  }
}

void FakeGate::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  expired_ = false;
}

void FakeGate::open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
  changed_.notify_all();
}

void FakeGate::pass(bool by_host) {
  std::unique_lock lock(mutex_);
  if (!by_host) return changed_.wait(lock, [&] { return !closed_; });
  if (changed_.wait_for(lock, kPatience, [&] { return !closed_; })) return;
  closed_ = false;
  expired_ = true;
  changed_.notify_all();
}

FakeStream::FakeStream(FakeGate& gate) : gate_(gate), thread_([this] { serve(); }) {}

FakeStream::~FakeStream() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

FakeStream& FakeStream::other() { return *second_stream; }

void FakeStream::queue(Item item) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(item));
  changed_.notify_all();
}

void FakeStream::launch(std::function<void()> work, device::Activity as) {
  queue({.work = std::move(work), .as = std::move(as)});
}

void FakeStream::host_function(std::function<void()> work) {
  launch(std::move(work), {.kind = device::Activity::Kind::host_function});
}

void FakeStream::mark(std::function<void()> work) {
  launch(std::move(work), {.kind = device::Activity::Kind::synchronisation});
}

void FakeStream::hold() {
  queue({.work = [] {}, .gate = true});
}

void FakeStream::perform(const Item& item) {
  const auto& clock = device::Clock::instance();
  device::Activity activity = item.as;
  activity.name = item.gate ? "gate" : "work";
  activity.stream = reinterpret_cast<std::uint64_t>(this);
  if (item.gate) activity.start_ns = clock.now_ns();
  if (item.as.kind != device::Activity::Kind::host_function) gate_.pass(false);
  if (!item.gate) activity.start_ns = clock.now_ns();
  item.work();
  activity.end_ns = clock.now_ns();
  recorder().add(activity);
}

void FakeStream::synchronise() {
  gate_.pass(true);
  drain();
}

void FakeStream::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
}

void FakeStream::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const Item item = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    perform(item);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace aisp::harness
