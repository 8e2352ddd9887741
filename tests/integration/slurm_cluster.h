// SPDX-License-Identifier: Apache-2.0
/// \file
/// A Slurm of one node for tests: munged, slurmctld and slurmd of one's own, with their files in a temporary
/// folder, on free ports of the loopback. Ended with this object, by process id.
///
///   SlurmCluster cluster;
///   if (!cluster.forbidden().empty()) GTEST_SKIP() << cluster.forbidden();
///   SKIP_WITHOUT_PACKAGE(cluster.missing());
///   box.environment["SLURM_CONF"] = cluster.config();
///
/// Nothing of a Slurm that the machine may run already is touched.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace aisp::testing {

class SlurmCluster {
 public:
  SlurmCluster();
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  /// Why there is no cluster here although there could be one: a package, most likely; empty when there is.
  const std::string& missing() const { return missing_; }
  /// Why there cannot be one for this user; empty when there can.
  const std::string& forbidden() const { return forbidden_; }
  std::string config() const { return (directory_ / "slurm.conf").string(); }
  /// What a client program prints; empty after 10 s.
  std::string ask(const std::string& command) const;

 private:
  void write_config() const;
  bool start(const std::vector<std::string>& words);
  bool wait_until_idle();

  std::filesystem::path directory_;
  std::vector<pid_t> daemons_;  ///< in the order of their start
  std::string missing_, forbidden_;
};

}  // namespace aisp::testing
