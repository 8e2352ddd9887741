// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cells on the GPU that is made of threads: variants that have their work done in some way, and what the
/// guards say of them once coordinator, workers and audit are through.
///
///   const Registration mine{on_gpu("test/mine", {{"base", by(launch)}})};
///   const CellResult cell = measured("test/mine");
///   EXPECT_EQ(finding(cell, "base", "one_device").level, Level::pass);
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"
#include "fake_gpu.h"

namespace aisp::harness {

using Work = std::function<void()>;

/// A variant that has its work done in some way. A kernel reads its input through the device's cache.
Run by(std::function<void(FakeStream&, Work)> way, double ns = 50e3);
inline void launch(FakeStream& s, const Work& work) { s.launch(work); }

Workload on_gpu(const std::string& id, std::vector<std::pair<std::string, Run>> variants);
/// The same on a device that does something wrong, in every worker.
Workload on_faulty_gpu(const std::string& id, const FakeFaults& faults,
                       std::vector<std::pair<std::string, Run>> variants);

/// A workload that is registered, measured as users do it. Throws where it cannot be.
CellResult measured(const std::string& id, CacheMode cache = CacheMode::cold, double timeout_seconds = 30);

/// Throws where there is none.
const Finding& finding(const CellResult& cell, const std::string& variant, const std::string& guard);
void expect_finding(const CellResult& cell, const std::string& variant, const std::string& guard, Level level,
                    const std::string& because);
/// All of them, one a line.
std::string notes_of(const CellResult& cell);

}  // namespace aisp::harness
