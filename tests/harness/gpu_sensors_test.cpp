// SPDX-License-Identifier: Apache-2.0
// What the sensors of a GPU say, or do not say, and what the guards make of it: clocks, what holds them back,
// and who else computes on the device.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/registry.h"
#include "gpu_cells.h"

namespace aisp::harness {
namespace {

const Registration plain{on_gpu("gpu_sensors/plain", {{"base", by(launch)}})};
const Registration without{on_faulty_gpu(
    "gpu_sensors/none", {.no_sensors = "libnvidia-ml.so.1 was not found"}, {{"base", by(launch)}})};
const Registration shared{
    on_faulty_gpu("gpu_sensors/shared", {.other_processes = 1}, {{"base", by(launch)}})};
const Registration shared_server{
    on_faulty_gpu("gpu_sensors/mps", {.other_processes = 2}, {{"base", by(launch)}})};
const Registration container{
    on_faulty_gpu("gpu_sensors/unlisted", {.unlisted = true}, {{"base", by(launch)}})};
const Registration hot{
    on_faulty_gpu("gpu_sensors/hot", {.throttling = "hardware thermal slowdown"}, {{"base", by(launch)}})};

Run at_clock(double mhz) {
  return by([mhz](FakeStream& s, const Work& work) {
    fake_faults().sm_mhz = mhz;
    s.launch(work);
  });
}
const Registration clocks{on_gpu(
    "gpu_sensors/clocks", {{"base", at_clock(1800)}, {"same", at_clock(1790)}, {"slow", at_clock(900)}})};

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
  EXPECT_NE(cell.find("base")->validity, Validity::valid);
}

TEST(GpuSensors, WorkersOfTheRunAreNoStrangers) {
  expect_finding(measured("gpu_sensors/plain"), "base", "device_unshared", Level::pass,
                 "nobody else computed on this device");
}

TEST(GpuSensors, OtherProcessesReject) {
  expect_finding(measured("gpu_sensors/shared"), "base", "device_unshared", Level::reject,
                 "1 other process computes on this device");
  expect_finding(measured("gpu_sensors/mps"), "base", "device_unshared", Level::reject,
                 "2 other processes compute on this device");
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
                 "1 other process computes on this device");
}

TEST(GpuSensors, ASlowerClockForOneVariantIsNoted) {
  const CellResult cell = measured("gpu_sensors/clocks");
  expect_finding(cell, "base", "device_clocks_alike", Level::pass, "clocks as for the baseline");
  expect_finding(cell, "same", "device_clocks_alike", Level::pass, "clocks as for the baseline");
  expect_finding(cell, "slow", "device_clocks_alike", Level::note,
                 "its clock differed from the baseline's by 50 %");
}

TEST(GpuSensors, HeatRejects) {
  expect_finding(measured("gpu_sensors/hot"), "base", "device_clocks_alike", Level::reject,
                 "the device held itself back: hardware thermal slowdown");
}

}  // namespace
}  // namespace aisp::harness
