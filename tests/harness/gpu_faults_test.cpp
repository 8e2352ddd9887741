// SPDX-License-Identifier: Apache-2.0
// What a GPU that fails costs: the variant whose kernel faulted and no other, or the whole cell where the
// device is gone or has no room; and what is said of it.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "aisp/core/registry.h"
#include "fake_memory.h"
#include "gpu_cells.h"

namespace aisp::harness {
namespace {

using device::GpuError;
using device::GpuFault;

// A worker makes 52 calls of a variant before its first round, and four in its rounds.
constexpr int kCallsBefore = 54;

const Registration faulting{on_gpu("gpu_faults/sticky", {{"base", by(launch)},
                                                         {"faults", by([](FakeStream& s, const Work& work) {
                                                            static int calls = 0;
                                                            s.launch(++calls < kCallsBefore ? work : [] {
                                                              throw GpuError(GpuFault::sticky,
                                                                             "an illegal memory access");
                                                            });
                                                          })},
                                                         {"honest", by(launch)}})};

const Registration leaving{on_gpu("gpu_faults/lost", {{"base", by([](FakeStream& s, const Work& work) {
                                                         s.launch([work] {
                                                           static int calls = 0;
                                                           if (++calls == kCallsBefore)
                                                             fake_faults().lost = true;
                                                           work();
                                                         });
                                                       })},
                                                      {"honest", by(launch)}})};
const Registration gone{on_faulty_gpu("gpu_faults/gone", {.lost = true}, {{"base", by(launch)}})};
const Registration missing{on_faulty_gpu("gpu_faults/missing", {.missing = true}, {{"base", by(launch)}})};
const Registration full{on_faulty_gpu("gpu_faults/full", {.fail_allocation = 3}, {{"base", by(launch)}})};
const Registration hungry{[] {
  Workload workload =
      on_gpu("gpu_faults/hungry", {{"base", by(launch)}, {"hungry", by(launch)}, {"honest", by(launch)}});
  workload.variants[1].prepare = [](const Setup&) -> std::shared_ptr<void> {
    fake_memory()->allocate(std::size_t{2} << 30);
    return nullptr;
  };
  return workload;
}()};

/// A kernel that serves from the side, and never ends.
const Registration staying{on_gpu("gpu_faults/stays", {{"base", by(launch)},
                                                       {"stays", by([](FakeStream& s, const Work& work) {
                                                          s.launch(work);
                                                          s.other().launch([] {
                                                            for (;;)
                                                              std::this_thread::sleep_for(
                                                                  std::chrono::seconds(1));
                                                          });
                                                        })},
                                                       {"honest", by(launch)}})};

const std::string& end_of_worker(const CellResult& cell, const std::string& variant) {
  EXPECT_EQ(finding(cell, variant, "worker").level, Level::reject);
  EXPECT_EQ(cell.find(variant)->validity, Validity::failed);
  return finding(cell, variant, "worker").because;
}
void expect_measured(const CellResult& cell, const std::string& variant) {
  EXPECT_NE(cell.find(variant)->validity, Validity::failed) << variant;
  EXPECT_GE(cell.find(variant)->samples.size(), 12u) << variant;
}

TEST(GpuFaults, AKernelThatFaultsCostsItsVariantAlone) {
  const CellResult cell = measured("gpu_faults/sticky");
  EXPECT_EQ(end_of_worker(cell, "faults"), "threw: an illegal memory access");
  expect_measured(cell, "base");
  expect_measured(cell, "honest");
}

TEST(GpuFaults, AKernelThatNeverEndsIsNamed) {
  const CellResult cell = measured("gpu_faults/stays", CacheMode::cold, 3);
  EXPECT_EQ(end_of_worker(cell, "stays"),
            "timed out: no sign of life for 3 s: what it started on the device is still running");
  expect_measured(cell, "base");
  expect_measured(cell, "honest");
}

TEST(GpuFaults, ADeviceThatIsLostInTheBaselineEndsTheCell) {
  const CellResult cell = measured("gpu_faults/lost");
  EXPECT_EQ(end_of_worker(cell, "base"), "threw: the device is gone");
  EXPECT_EQ(end_of_worker(cell, "honest"), "threw: the device is gone");
  EXPECT_EQ(cell.stopped, "failed");
}

TEST(GpuFaults, ADeviceThatIsGoneIsNoVariantsFault) {
  const CellResult cell = measured("gpu_faults/gone");
  EXPECT_EQ(end_of_worker(cell, "base"), "threw in the problem or its reference: the device is gone");
}

TEST(GpuFaults, WithoutADeviceTheCellCannotBeMeasured) {
  try {
    static_cast<void>(measured("gpu_faults/missing"));
    FAIL() << "there is none";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cuda:0 is not available: no device");
  }
}

TEST(GpuFaults, OutOfMemoryAtTheThirdAllocationIsSaid) {
  const CellResult cell = measured("gpu_faults/full");
  EXPECT_EQ(end_of_worker(cell, "base"),
            "threw in the problem or its reference: allocating 2048 bytes: out of memory");
}

TEST(GpuFaults, APlanThatDoesNotFitCostsItsVariantAlone) {
  const CellResult cell = measured("gpu_faults/hungry");
  EXPECT_EQ(end_of_worker(cell, "hungry"), "threw: allocating 2147483648 bytes: out of memory");
  expect_measured(cell, "base");
  expect_measured(cell, "honest");
}

}  // namespace
}  // namespace aisp::harness
