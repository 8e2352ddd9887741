// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tests that start a server of their own, which not every machine has installed. They are skipped there,
/// and fail where AISP_REQUIRE_PACKAGES=1 says that `./setup.sh test` was run: a suite that skips them all
/// looks like one that passes.
///
///   SKIP_WITHOUT_PACKAGE(server == nullptr ? "postgres is missing (package postgresql)" : "");
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace aisp::packages {

inline bool are_required() {
  const char* required = std::getenv("AISP_REQUIRE_PACKAGES");
  return required != nullptr && std::string_view(required) == "1";
}

}  // namespace aisp::packages

/// `missing` says what is; nothing where all is there.
#define SKIP_WITHOUT_PACKAGE(missing)                                                                     \
  do {                                                                                                    \
    const std::string aisp_missing = (missing);                                                           \
    if (!aisp_missing.empty() && ::aisp::packages::are_required())                                        \
      GTEST_FAIL() << aisp_missing << "; AISP_REQUIRE_PACKAGES asks for it, `./setup.sh test` brings it"; \
    if (!aisp_missing.empty()) GTEST_SKIP() << aisp_missing;                                              \
  } while (false)
