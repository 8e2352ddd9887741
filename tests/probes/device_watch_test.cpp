// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/device_watch.h"

#include <gtest/gtest.h>

#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace aisp::probes {
namespace {

/// A device that lists these processes, and these through a shared server, and says this of itself.
struct Listing : device::SensorReader {
  std::optional<std::vector<device::GpuProcess>> processes, served;
  std::optional<std::uint64_t> corrected, uncorrected;
  device::SensorSample state;
  bool there = true;

  std::optional<std::string> unavailable() const override {
    return there ? std::nullopt : std::optional<std::string>("no NVML");
  }
  device::Sensors read() override {
    device::Sensors now;
    now.processes = processes;
    now.mps_processes = served;
    if (corrected || uncorrected) now.ecc = true;
    now.ecc_corrected = corrected;
    now.ecc_uncorrected = uncorrected;
    return now;
  }
  device::SensorSample sample() override { return state; }
};

device::GpuProcess process(pid_t pid) { return {.pid = static_cast<std::uint32_t>(pid)}; }

DeviceEvidence recorded(const AttemptWatch& watch) {
  DeviceEvidence evidence;
  watch.record(evidence);
  return evidence;
}

std::optional<std::uint64_t> strangers(Listing listing) {
  AttemptWatch watch;
  watch.look(listing);
  return recorded(watch).foreign_processes;
}

TEST(DeviceWatch, KeepsTheHighestHeatTheMeanPowerAndTheMedianClocks) {
  Listing device;
  DeviceWatch watch;
  const std::vector<device::SensorSample> states{
      {.sm_mhz = 1800, .memory_mhz = 2600, .watts = 100, .celsius = 50},
      {.sm_mhz = 900, .memory_mhz = 2600, .watts = 200, .celsius = 70},
      {.sm_mhz = 1700, .memory_mhz = 1300, .watts = 600, .celsius = 60}};
  for (const device::SensorSample& state : states) {
    device.state = state;
    watch.look(device);
  }
  Evidence evidence;
  watch.record(evidence);
  EXPECT_EQ(evidence.accelerator.highest_celsius, 70);
  EXPECT_EQ(evidence.accelerator.mean_watts, 300);
  EXPECT_EQ(evidence.accelerator.core_mhz, 1700);
  EXPECT_EQ(evidence.accelerator.memory_mhz, 2600);
}

TEST(DeviceWatch, WhatTheDeviceDoesNotTellIsUnknown) {
  Listing device;
  DeviceWatch watch;
  watch.look(device);
  Evidence evidence;
  watch.record(evidence);
  EXPECT_FALSE(evidence.accelerator.highest_celsius);
  EXPECT_FALSE(evidence.accelerator.mean_watts);
  EXPECT_FALSE(evidence.accelerator.memory_mhz);
}

TEST(MemoryErrors, AreThoseOfTheAttemptAlone) {
  Listing device;
  device.corrected = 40;
  device.uncorrected = 7;
  AttemptWatch watch;
  watch.look(device);
  device.corrected = 43;
  watch.look(device);
  EXPECT_EQ(recorded(watch).ecc, true);
  EXPECT_EQ(recorded(watch).new_ecc_corrected, 3u);
  EXPECT_EQ(recorded(watch).new_ecc_uncorrected, 0u) << "seven were there before";
  device.uncorrected = 8;
  watch.look(device);
  EXPECT_EQ(recorded(watch).new_ecc_uncorrected, 1u);
  device.uncorrected = 2;
  watch.look(device);
  EXPECT_EQ(recorded(watch).new_ecc_uncorrected, 1u) << "somebody set the count back: it was there";
  AttemptWatch other;
  other.look(device);
  device.uncorrected = 1;
  other.look(device);
  EXPECT_EQ(recorded(other).new_ecc_uncorrected, std::nullopt)
      << "none was seen, and the count is no longer one";
}

TEST(MemoryErrors, AreUnknownWhereTheyAreNotCounted) {
  Listing device;
  AttemptWatch watch, blind;
  EXPECT_FALSE(recorded(watch).ecc) << "nobody looked";
  watch.look(device);
  device.uncorrected = 7;
  watch.look(device);
  EXPECT_FALSE(recorded(watch).new_ecc_uncorrected) << "nobody knows with how many it began";
  device.there = false;
  blind.look(device);
  EXPECT_FALSE(recorded(blind).ecc);
}

TEST(Neighbours, AreUnknownWhereThisProcessIsNotListed) {
  Listing listing;
  EXPECT_EQ(strangers(listing), std::nullopt) << "no list";
  listing.processes.emplace();
  EXPECT_EQ(strangers(listing), std::nullopt) << "an empty one";
  listing.processes->push_back(process(1));
  EXPECT_EQ(strangers(listing), std::nullopt) << "one of others alone";
  listing.processes->push_back(process(getpid()));
  EXPECT_EQ(strangers(listing), 1u);
  listing.there = false;
  EXPECT_EQ(strangers(listing), std::nullopt);
}

TEST(Neighbours, ThroughASharedServerCountToo) {
  Listing listing;
  listing.processes = {process(getpid())};
  EXPECT_EQ(strangers(listing), 0u);
  listing.served = {process(1)};
  EXPECT_EQ(strangers(listing), 1u);
}

TEST(Neighbours, AreTheMostOfAllLooks) {
  Listing listing;
  listing.processes = {process(getpid()), process(1)};
  AttemptWatch watch;
  watch.look(listing);
  listing.processes = {process(getpid())};
  watch.look(listing);
  EXPECT_EQ(recorded(watch).foreign_processes, 1u) << "who left was there";
  listing.processes.reset();
  watch.look(listing);
  EXPECT_EQ(recorded(watch).foreign_processes, 1u) << "a look that tells nothing takes nothing back";
}

TEST(Neighbours, AreUnknownWhereOneLookCouldNotTellOfNone) {
  Listing listing;
  AttemptWatch watch;
  watch.look(listing);
  listing.processes = {process(getpid())};
  watch.look(listing);
  EXPECT_EQ(recorded(watch).foreign_processes, std::nullopt);
}

/// What a child process, a worker as it were, finds beside the one with this number.
int strangers_of_a_worker(pid_t other) {
  const pid_t worker = fork();
  if (worker == 0) {
    Listing listing;
    listing.processes = {process(getpid()), process(other)};
    _exit(static_cast<int>(strangers(listing).value_or(99)));
  }
  int status = 0;
  waitpid(worker, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Neighbours, OfTheSameParentAndProgramAreWorkersOfTheSameRun) {
  int hold[2];
  ASSERT_EQ(pipe(hold), 0);
  const pid_t sister = fork();
  if (sister == 0) {
    close(hold[1]);
    char end = 0;
    _exit(read(hold[0], &end, 1) == 0 ? 0 : 1);  // until the test is over
  }
  EXPECT_EQ(strangers_of_a_worker(sister), 0);
  EXPECT_EQ(strangers_of_a_worker(getpid()), 1) << "the same program, but not for the same parent";
  close(hold[0]);
  close(hold[1]);
  waitpid(sister, nullptr, 0);
}

}  // namespace
}  // namespace aisp::probes
