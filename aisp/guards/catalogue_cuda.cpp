// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> cuda_issues() {
  static constexpr std::array issues{
      Issue{.number = 43,
            .category = "cuda",
            .title = "Host callback escape",
            .meaning = "Work is hidden in a host function queued on a stream.",
            .incident = "No public case is recorded here; a host function can signal completion before it "
                        "has finished its own work.",
            .defence = "An audit lists host functions in streams and graphs, and one in a window rejects the "
                       "row. When it ran is not recorded.",
            .cover = Cover::guard,
            .guards = {"no_host_functions"}},
      Issue{.number = 44,
            .category = "cuda",
            .title = "Async memcpy incomplete",
            .meaning = "A copy between host and device is still under way when the clock stops.",
            .incident =
                "No public case is recorded here; the copy shows up in the next call's time, or nowhere.",
            .defence = "The device must be idle soon after the timed work, answers are compared after that, "
                       "and a copy outside its window rejects the row.",
            .cover = Cover::guard,
            .guards = {"device_work_in_window"}},
      Issue{.number = 45,
            .category = "cuda",
            .title = "Workspace pre-compute",
            .meaning = "An answer, or most of it, lies in a library's workspace from an earlier call.",
            .incident = "No public case is recorded here; a product of weights taken for constant is kept in "
                        "the workspace and reused after they changed.",
            .defence = "Inputs are new in every round, so what a workspace kept is about other numbers; a "
                       "cold call that reads fewer bytes than it must rejects the row. Workspaces are not "
                       "poisoned yet.",
            .cover = Cover::guard,
            .guards = {"compulsory_bytes_read"}},
      Issue{.number = 46,
            .category = "cuda",
            .title = "Persistent kernel",
            .meaning = "A kernel left running answers later calls without being launched.",
            .incident = "No public case is recorded here; a resident kernel polls a mailbox, and the timed "
                        "call only writes a flag.",
            .defence = "The gate holds every multiprocessor before a call is queued; where a kernel is left "
                       "running it cannot, the round is discarded, and the audit sees work that is not over.",
            .cover = Cover::guard,
            .guards = {"device_work_in_window"}},
      Issue{.number = 47,
            .category = "cuda",
            .title = "Undeclared multi-GPU",
            .meaning = "Another GPU does a share of the work.",
            .incident = "No public case is recorded here; two devices halve the time and double the cost.",
            .defence = "An audit records the work of all devices in the process; a kernel, copy or memset on "
                       "another than the measured one rejects the row. Other processes are not looked for "
                       "there.",
            .cover = Cover::guard,
            .guards = {"one_device"}},
      Issue{.number = 48,
            .category = "cuda",
            .title = "Context switch overhead",
            .meaning = "Other contexts take turns on the GPU.",
            .incident = "No public case is recorded here; a second process on the device slows whichever "
                        "side is running.",
            .defence =
                "The driver's list of processes on the device, less the run's own workers, must be "
                "empty: at both ends of an attempt and in every sixteenth of its rounds. Who comes and "
                "goes between is not seen.",
            .cover = Cover::guard,
            .guards = {"device_unshared"}},
      Issue{.number = 49,
            .category = "cuda",
            .title = "Driver overhead",
            .meaning = "The cost of launches and driver calls is left out.",
            .incident = "No public case is recorded here; ten thousand tiny launches look fast when only "
                        "kernel time is summed.",
            .defence = "A call is as slow as the slower of its two sides: where the host takes longer than "
                       "launching does, host time is the figure.",
            .cover = Cover::guard,
            .guards = {"host_only_launches"}},
      Issue{.number = 50,
            .category = "cuda",
            .title = "Cooperative launch abuse",
            .meaning =
                "Cooperative or cluster launches escape the count of launches or hold all multiprocessors.",
            .incident = "No public case is recorded here; a cooperative grid left spinning keeps the next "
                        "variant off the device.",
            .defence = "An audit counts cooperative launches; where the variant does not declare them they "
                       "reject the row. A cluster is an ordinary launch. A grid left spinning is work "
                       "outside its window.",
            .cover = Cover::guard,
            .guards = {"launches_as_declared", "device_work_in_window"}},
      Issue{.number = 51,
            .category = "cuda",
            .title = "Dynamic parallelism hidden",
            .meaning = "Kernels launched from the device are not tracked and may end later.",
            .incident = "No public case is recorded here; a fire-and-forget grid finishes after its parent "
                        "has been seen to end.",
            .defence = "Of every kernel in a window the code is asked whether it can launch, since records "
                       "show nothing of it; where the variant does not declare it the row is rejected. The "
                       "device must be idle soon after the timed work, whoever launched what. Launches "
                       "through a pointer to a function are not found.",
            .cover = Cover::guard,
            .guards = {"launches_as_declared", "device_work_in_window"}},
      Issue{.number = 52,
            .category = "cuda",
            .title = "Unified memory faults",
            .meaning = "Pages migrate inside the window of one side and outside that of the other.",
            .incident = "No public case is recorded here; prefetching for the candidate only moves the cost "
                        "to the baseline.",
            .defence = "The harness's buffers are device memory. An audit counts faults and migrations in "
                       "windows; where the variant does not declare managed memory they reject the row.",
            .cover = Cover::guard,
            .guards = {"unified_memory_settled"}},
  };
  return issues;
}

}  // namespace aisp::guards
