// SPDX-License-Identifier: Apache-2.0
// What the sensors of a GPU say, or do not say, and what the guards make of it: clocks, what holds them back,
// who else computes on the device, and errors of its memory.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/registry.h"
#include "aisp/harness/merge_evidence.h"
#include "aisp/harness/sampler.h"
#include "example.h"
#include "fake_sensors.h"
#include "gpu_cells.h"

namespace aisp::harness {
namespace {

const Registration plain{on_gpu("gpu_sensors/plain", {{"base", by(launch)}})};
const Registration without{on_faulty_gpu(
    "gpu_sensors/none", {.no_sensors = "libnvidia-ml.so.1 was not found"}, {{"base", by(launch)}})};
const Registration shared{
    on_faulty_gpu("gpu_sensors/shared", {.other_processes = 1}, {{"base", by(launch)}})};
const Registration left{on_faulty_gpu("gpu_sensors/left", {.other_processes = 1, .others_leave_after = 1},
                                      {{"base", by(launch)}})};
const Registration shared_server{
    on_faulty_gpu("gpu_sensors/mps", {.other_processes = 2}, {{"base", by(launch)}})};
const Registration container{
    on_faulty_gpu("gpu_sensors/unlisted", {.unlisted = true}, {{"base", by(launch)}})};
const Registration hot{
    on_faulty_gpu("gpu_sensors/hot", {.throttling = "hardware thermal slowdown"}, {{"base", by(launch)}})};

/// A device that is in this state since the call.
Run with(std::function<void(FakeFaults&)> change) {
  return by([change = std::move(change)](FakeStream& s, const Work& work) {
    change(fake_faults());
    s.launch(work);
  });
}
Run at_clock(double mhz) {
  return with([mhz](FakeFaults& device) { device.sm_mhz = mhz; });
}
Run held_back_by(const std::string& reason) {
  return with([reason](FakeFaults& device) { device.throttling = reason; });
}
Run at(double celsius, double watts, double memory_mhz) {
  return with([=](FakeFaults& device) {
    device.celsius = celsius;
    device.watts_now = watts;
    device.memory_mhz = memory_mhz;
  });
}
const Registration power{
    on_gpu("gpu_sensors/power_cap",
           {{"base", held_back_by("")}, {"same", held_back_by("")}, {"heavy", held_back_by("power cap")}})};
const Registration states{
    on_gpu("gpu_sensors/states", {{"base", at(50, 200, 2600)}, {"heavy", at(80, 600, 1300)}})};
/// Errors of before, and one that a call meets.
const Registration sound{
    on_faulty_gpu("gpu_sensors/sound", {.ecc_corrected = 40, .ecc_uncorrected = 7}, {{"base", by(launch)}})};
const Registration unsound{on_faulty_gpu("gpu_sensors/unsound", {.ecc_uncorrected = 7},
                                         {{"base", with([](FakeFaults& d) { d.ecc_uncorrected = 8; })}})};
const Registration without_ecc{on_faulty_gpu("gpu_sensors/no_ecc", {.ecc = false}, {{"base", by(launch)}})};
const Registration clocks{on_gpu(
    "gpu_sensors/clocks", {{"base", at_clock(1800)}, {"same", at_clock(1790)}, {"slow", at_clock(900)}})};

/// Slow while it works, and back before anybody looks afterwards.
const Registration slow_under_load{
    on_gpu("gpu_sensors/load", {{"base", by(launch, 6e6)},
                                {"slow", by(
                                             [](FakeStream& s, const Work& work) {
                                               s.launch([work] {
                                                 fake_clock(900);
                                                 work();
                                                 fake_clock(0);
                                               });
                                             },
                                             6e6)}})};

/// A process that does nothing but be there, under a name of choice.
class Process {
 public:
  explicit Process(const std::string& name)
      : folder_(testing::TempDir() + "aisp-" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
    const std::string program = folder_ + "/" + name;
    std::filesystem::copy_file("/bin/sleep", program, std::filesystem::copy_options::overwrite_existing);
    pid_ = fork();
    if (pid_ == 0) {
      execl(program.c_str(), program.c_str(), "60", nullptr);
      _exit(1);
    }
    setenv("AISP_TEST_GPU_PROCESSES", std::to_string(pid_).c_str(), 1);
  }
  ~Process() {
    unsetenv("AISP_TEST_GPU_PROCESSES");
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 private:
  std::string folder_;
  pid_t pid_ = -1;
};

TEST(GpuSensors, WithoutSensorsNothingIsTakenForGranted) {
  const CellResult cell = measured("gpu_sensors/none");
  expect_finding(cell, "base", "device_unshared", Level::unknown, "who else uses the device is not known");
  expect_finding(cell, "base", "device_clocks_alike", Level::unknown, "the device's clocks are not known");
  expect_finding(cell, "base", "power_limit_alike", Level::unknown, "the power limit cannot be read");
  expect_finding(cell, "base", "device_memory_sound", Level::unknown,
                 "errors of the device's memory are not known");
  EXPECT_NE(cell.find("base")->validity, Validity::valid);
}

TEST(GpuSensors, WorkersOfTheRunAreNoStrangers) {
  expect_finding(measured("gpu_sensors/plain"), "base", "device_unshared", Level::pass,
                 "nobody else computed on this device");
}

TEST(GpuSensors, OtherProcessesReject) {
  expect_finding(measured("gpu_sensors/shared"), "base", "device_unshared", Level::reject,
                 "1 other process computed on this device");
  expect_finding(measured("gpu_sensors/mps"), "base", "device_unshared", Level::reject,
                 "2 other processes computed on this device");
}

TEST(GpuSensors, AProcessThatLeftWasThere) {
  expect_finding(measured("gpu_sensors/left"), "base", "device_unshared", Level::reject,
                 "1 other process computed on this device");
}

/// What an attempt of 20 rounds in this process sees of somebody who is there when `in_round` says so; before
/// the first round it is asked for -1, and at the end for 20.
std::optional<std::uint64_t> others_seen(const std::function<bool(int)>& in_round) {
  const Workload& workload = *Registry::instance().find("gpu_sensors/plain");
  CellSpec spec = cell_of(workload);
  spec.device = "cuda:0";
  spec.cache = CacheMode::cold;
  const auto now = [&](int round) { fake_faults().other_processes = in_round(round) ? 1 : 0; };
  now(-1);
  auto sampler = Sampler::open(workload, spec, [](const std::string&) {});
  if (!sampler) throw std::runtime_error(sampler.error().message);
  for (int round = 0; round < 20; ++round) {
    now(round);
    static_cast<void>((*sampler)->round(round));
  }
  now(20);
  const Closing closing = (*sampler)->close();
  fake_faults() = {};
  return closing.variants.front().evidence.accelerator.foreign_processes;
}

TEST(GpuSensors, OthersAreLookedForAtBothEndsAndBetween) {
  EXPECT_EQ(others_seen([](int) { return false; }), 0u);
  EXPECT_EQ(others_seen([](int round) { return round < 0; }), 1u) << "gone before the first round";
  EXPECT_EQ(others_seen([](int round) { return round >= 4 && round < 20; }), 1u) << "sixteen rounds long";
  EXPECT_EQ(others_seen([](int round) { return round == 20; }), 1u) << "there at the end";
}

TEST(GpuSensors, AnErrorThatMemoryCouldNotCorrectRejects) {
  expect_finding(measured("gpu_sensors/unsound"), "base", "device_memory_sound", Level::reject,
                 "1 new error of the device's memory could not be corrected");
  expect_finding(measured("gpu_sensors/sound"), "base", "device_memory_sound", Level::pass,
                 "the device's memory made no new error");
}

TEST(GpuSensors, MemoryWithoutEccIsNoted) {
  expect_finding(measured("gpu_sensors/no_ecc"), "base", "device_memory_sound", Level::note,
                 "the device's memory does not correct errors: ECC is off");
}

TEST(GpuSensors, HeatPowerAndMemoryClockAreKeptForEachVariant) {
  const CellResult cell = measured("gpu_sensors/states");
  const DeviceEvidence& base = cell.find("base")->evidence.accelerator;
  const DeviceEvidence& heavy = cell.find("heavy")->evidence.accelerator;
  EXPECT_EQ(base.highest_celsius, 50);
  EXPECT_EQ(heavy.highest_celsius, 80);
  EXPECT_DOUBLE_EQ(base.mean_watts.value_or(0), 200);
  EXPECT_DOUBLE_EQ(heavy.mean_watts.value_or(0), 600);
  EXPECT_DOUBLE_EQ(base.memory_mhz.value_or(0), 2600);
  EXPECT_DOUBLE_EQ(heavy.memory_mhz.value_or(0), 1300);
}

/// Of two attempts with as many calls.
DeviceEvidence merged(const DeviceEvidence& first, const DeviceEvidence& second) {
  Evidence all;
  for (const DeviceEvidence& device : {first, second}) {
    Evidence attempt{.variant = "base"};
    attempt.answers.calls = 10;
    attempt.accelerator = device;
    merge_evidence(all, attempt);
  }
  return all.accelerator;
}

TEST(GpuSensors, OfAttemptsFaultsOfOneAreKeptAndStatesAreWeighed) {
  DeviceEvidence clean, faulty;
  clean.foreign_processes = clean.new_ecc_corrected = clean.new_ecc_uncorrected = 0;
  clean.ecc = true;
  clean.highest_celsius = 50;
  clean.mean_watts = 200;
  clean.memory_mhz = 2600;
  faulty = clean;
  faulty.foreign_processes = 2;
  faulty.new_ecc_uncorrected = 1;
  faulty.highest_celsius = 80;
  faulty.mean_watts = 600;
  faulty.memory_mhz = 1300;
  for (const bool faulty_first : {true, false}) {
    const DeviceEvidence both = faulty_first ? merged(faulty, clean) : merged(clean, faulty);
    EXPECT_EQ(both.foreign_processes, 2u);
    EXPECT_EQ(both.new_ecc_uncorrected, 1u);
    EXPECT_EQ(both.new_ecc_corrected, 0u);
    EXPECT_EQ(both.ecc, true);
    EXPECT_EQ(both.highest_celsius, 80);
    EXPECT_DOUBLE_EQ(both.mean_watts.value_or(0), 400);
    EXPECT_DOUBLE_EQ(both.memory_mhz.value_or(0), 1950);
    const DeviceEvidence half = faulty_first ? merged(faulty, {}) : merged({}, faulty);
    EXPECT_EQ(half.foreign_processes, 2u) << "who was seen was there";
    EXPECT_EQ(half.new_ecc_uncorrected, 1u);
    EXPECT_FALSE(half.new_ecc_corrected || half.ecc || half.highest_celsius || half.mean_watts);
  }
  EXPECT_EQ(merged(faulty, faulty).new_ecc_uncorrected, 1u) << "both were open when it happened";
}

TEST(GpuSensors, AListOfAnotherMachinesProcessesSaysNothing) {
  expect_finding(measured("gpu_sensors/unlisted"), "base", "device_unshared", Level::unknown,
                 "who else uses the device is not known");
}

TEST(GpuSensors, TheServerOfMpsIsNoStrangerAndAnyOtherProgramIs) {
  {
    const Process server("nvidia-cuda-mps-server");
    expect_finding(measured("gpu_sensors/plain"), "base", "device_unshared", Level::pass,
                   "nobody else computed on this device");
  }
  const Process stranger("stranger");
  expect_finding(measured("gpu_sensors/plain"), "base", "device_unshared", Level::reject,
                 "1 other process computed on this device");
}

TEST(GpuSensors, ASlowerClockForOneVariantIsNoted) {
  const CellResult cell = measured("gpu_sensors/clocks");
  expect_finding(cell, "base", "device_clocks_alike", Level::pass, "clocks as for the baseline");
  expect_finding(cell, "same", "device_clocks_alike", Level::pass, "clocks as for the baseline");
  expect_finding(cell, "slow", "device_clocks_alike", Level::note,
                 "its clock differed from the baseline's by 50 %");
}

/// By how much is not asked: on a busy machine a look may come when the window is over.
TEST(GpuSensors, AClockThatIsSlowOnlyUnderLoadIsSeen) {
  const CellResult cell = measured("gpu_sensors/load");
  const Finding& found = finding(cell, "slow", "device_clocks_alike");
  EXPECT_EQ(found.level, Level::note);
  EXPECT_TRUE(found.because.starts_with("its clock differed from the baseline's by ")) << found.because;
}

TEST(GpuSensors, PowerThatHoldsBackOneVariantAloneIsNoted) {
  const CellResult cell = measured("gpu_sensors/power_cap");
  for (const char* alike : {"base", "same"})
    expect_finding(cell, alike, "device_clocks_alike", Level::pass, "clocks as for the baseline");
  expect_finding(cell, "heavy", "device_clocks_alike", Level::note,
                 "its clock was held back by power cap, the baseline's by nothing");
}

TEST(GpuSensors, HeatRejects) {
  expect_finding(measured("gpu_sensors/hot"), "base", "device_clocks_alike", Level::reject,
                 "the device held itself back: hardware thermal slowdown");
}

}  // namespace
}  // namespace aisp::harness
