// SPDX-License-Identifier: Apache-2.0
// What several recorded windows show together: figures that one window cannot move, and unknown where too few
// were recorded.
#include "aisp/harness/audit_ledger.h"

#include <gtest/gtest.h>

namespace aisp::harness {
namespace {

/// Sees everything.
class Recorder : public device::ActivityRecorder {
 public:
  std::optional<std::string> start() override { return std::nullopt; }
  std::vector<device::Activity> stop() override { return {}; }
  std::uint64_t dropped() const override { return 0; }
  std::uint64_t unrecorded_launches() const override { return 0; }
  std::vector<std::string> blind_to() const override { return {}; }
  bool sees(device::Activity::Kind /*kind*/) const override { return true; }
  bool knows_launching_code() const override { return true; }
  double now_ns() const override { return 0; }
  std::uint32_t device() const override { return 0; }
  std::optional<std::uint64_t> number_of(void* /*stream*/) const override { return 0; }
};

/// Of windows with so many nanoseconds, outside and in all alike.
DeviceEvidence of(const std::vector<double>& windows, std::vector<std::uint64_t> kernels = {}) {
  AuditLedger ledger;
  const Recorder recorder;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    probes::WindowActivity found;
    found.outside_ns = windows[i];
    found.kernels = found.pieces = i < kernels.size() ? kernels[i] : 1;
    found.host_alone_share = windows[i] / 1000;
    ledger.add(found, recorder, windows[i]);
  }
  return ledger.evidence();
}

TEST(AuditLedger, OneWindowOfFourMovesNoFigure) {
  EXPECT_EQ(of({0, 900, 0, 0}).work_outside_window_ns, 0);
  EXPECT_EQ(of({0, 900, 800, 0}).work_outside_window_ns, 800);
  EXPECT_EQ(of({100, 900, 800, 110}).audited_ns, 110) << "two families of inputs, one of them slower";
  EXPECT_EQ(of({100, 900, 800, 110}).host_alone_share, 0.11);
}

TEST(AuditLedger, FewerThanThreeRecordedWindowsProveNothing) {
  for (const std::vector<double>& few : {std::vector<double>{}, {0}, {0, 0}}) {
    const DeviceEvidence seen = of(few);
    EXPECT_FALSE(seen.work_outside_window_ns) << few.size();
    EXPECT_FALSE(seen.audited_ns) << few.size();
    EXPECT_FALSE(seen.audited_kernels) << few.size();
    EXPECT_FALSE(seen.host_alone_share) << few.size();
  }
  EXPECT_EQ(of({0, 0, 0}).work_outside_window_ns, 0);
  EXPECT_EQ(of({0, 0, 0}).audited_kernels, 1u);
}

TEST(AuditLedger, KernelsAreKnownWhereAllWindowsAgree) {
  EXPECT_EQ(of({0, 0, 0, 0}, {2, 2, 2, 2}).audited_kernels, 2u);
  EXPECT_FALSE(of({0, 0, 0, 0}, {2, 2, 3, 2}).audited_kernels);
  EXPECT_EQ(of({0, 0, 0, 0}, {2, 2, 3, 2}).audited_pieces, 3u);
}

}  // namespace
}  // namespace aisp::harness
