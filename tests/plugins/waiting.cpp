// SPDX-License-Identifier: Apache-2.0
// An honest workload that stops at its first call until a test has done its part: it creates the file that
// AISP_TEST_BEACON names and goes on when AISP_TEST_GO exists.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

void waits_once(const Call& call) {
  const char *beacon = std::getenv("AISP_TEST_BEACON"), *go = std::getenv("AISP_TEST_GO");
  static bool waited = beacon == nullptr || go == nullptr;
  if (!waited) {
    waited = true;
    std::ofstream(beacon) << "here\n";
    while (!std::filesystem::exists(go)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  honest(call);
}

const Registration waiting{doubling("waiting/once", "waits", waits_once)};

}  // namespace
}  // namespace aisp::plugins
