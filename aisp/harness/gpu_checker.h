// SPDX-License-Identifier: Apache-2.0
/// \file
/// The right answer of a round, in double, in a GPU's memory, and the comparison of answers with it.
///
///   GpuChecker checker(gpu, workload, problem, params);
///   checker.find_answer(set);                       // once a round
///   Inspection answer = checker.inspect(set);       // for each variant
#pragma once

#include <vector>

#include "aisp/harness/answer_ledger.h"
#include "aisp/harness/gpu_tensor_set.h"

namespace aisp::harness {

class GpuChecker {
 public:
  GpuChecker(device::Gpu& gpu, const Workload& workload, const Problem& problem, const Params& params);

  /// By the workload's reference on the device; where it has none, by the host's, over copies.
  void find_answer(const GpuTensorSet& set);
  Inspection inspect(const GpuTensorSet& set) const;

 private:
  void find_on_host(const GpuTensorSet& set);

  device::Gpu& gpu_;
  const Workload& workload_;
  const Params& params_;
  std::vector<const TensorSpec*> outputs_;
  std::vector<GpuBlock> values_, scales_;
  std::vector<DeviceWide> wide_;
};

}  // namespace aisp::harness
