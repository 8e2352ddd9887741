// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/device_watch.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace aisp::probes {
namespace {

/// A device that lists these processes, and these through a shared server.
struct Listing : device::SensorReader {
  std::optional<std::vector<device::GpuProcess>> processes, served;
  bool there = true;

  std::optional<std::string> unavailable() const override {
    return there ? std::nullopt : std::optional<std::string>("no NVML");
  }
  device::Sensors read() override {
    device::Sensors now;
    now.processes = processes;
    now.mps_processes = served;
    return now;
  }
  device::SensorSample sample() override { return {}; }
};

device::GpuProcess process(pid_t pid) { return {.pid = static_cast<std::uint32_t>(pid)}; }

std::optional<std::uint64_t> strangers(Listing listing) {
  DeviceEvidence evidence;
  record_neighbours(listing, evidence);
  return evidence.foreign_processes;
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
