// SPDX-License-Identifier: Apache-2.0
// The test program is its own worker: started as `harness_tests worker --fd 3 ...` by the coordinator under
// test, it serves the workloads registered in this binary, the broken ones included.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "aisp/harness/worker.h"
#include "liar.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "worker") {
    aisp::harness::WorkerOptions options;
    for (int i = 2; i + 1 < argc; i += 2) {
      const std::string_view flag = argv[i];
      if (flag == "--fd") options.fd = std::atoi(argv[i + 1]);
      if (flag == "--memory-limit") options.memory_limit_bytes = std::atof(argv[i + 1]);
    }
    if (const char* lie = std::getenv("AISP_TEST_LIE"))
      return aisp::harness::run_lying_worker(options.fd, lie);
    return aisp::harness::run_worker(options);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
