// SPDX-License-Identifier: Apache-2.0
/// \file
/// Listens to what the host asks of the driver, for what leaves no record of its own: host functions,
/// launches of graphs, waits for and writes of words in memory, loading of code. Keeps launches of kernels
/// too, so that one without a record is noticed.
///
/// Which graphs hold host functions, and which code can launch kernels itself, is learnt when they are made
/// and loaded: listen before anything else happens.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "aisp/device/cuda/call_log.h"
#include "aisp/device/cuda/cupti_library.h"
#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

class DriverCalls {
 public:
  /// Throws GpuError: another profiler, or another of these, listens already.
  DriverCalls();
  ~DriverCalls();
  DriverCalls(const DriverCalls&) = delete;
  DriverCalls& operator=(const DriverCalls&) = delete;

  void keep(bool on);
  /// All that was kept since the last time.
  CallLog take();
  /// Of all code loaded so far, what can launch kernels or graphs from the device; nothing where some of the
  /// code could not be read.
  std::optional<std::set<std::string>> launching_kernels();

 private:
  enum class Role : std::uint8_t {
    none,
    kernel,
    kernel_with_attributes,
    cooperative_kernel,
    host_function,
    memory_operation,
    graph_launch,
    graph_instantiation,
    graph_end
  };
  struct Listened {
    Role role = Role::none;
    bool per_thread = false;  ///< a variant whose default stream is the thread's
  };
  struct Call;

  static Role role_of(const char* name);
  static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data) noexcept;
  void listen();
  void on_call(const Listened& listened, const CUpti_CallbackData& data);
  void on_return(const Call& call);
  void on_graph_launch(const Call& call, CUgraphExec graph);
  void on_module(const CUpti_ResourceData& data);
  void keep_one(device::Activity activity);

  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::vector<Listened> listened_;  ///< by CUPTI's number of the function
  std::atomic<bool> keeping_ = false;
  // Calls come from any thread, some with the driver's locks held: the driver is never asked under this one.
  std::mutex guard_;
  CallLog taken_;
  std::optional<std::set<std::string>> launching_kernels_ = std::set<std::string>{};
  std::unordered_map<CUgraphExec, unsigned> host_functions_;  ///< of graphs that have any
};

}  // namespace aisp::cuda
