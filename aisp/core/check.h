// SPDX-License-Identifier: Apache-2.0
/// \file
/// AISP_CHECK(condition, "sentence"): a broken invariant ends the process with the sentence and the place.
/// Alive in every build, unlike assert. Not for failures a user can cause: those are Result<T>.
#pragma once

namespace aisp {
[[noreturn]] void check_failed(const char* condition, const char* sentence, const char* file, int line);
}

#define AISP_CHECK(condition, sentence) \
  ((condition) ? void(0) : ::aisp::check_failed(#condition, sentence, __builtin_FILE(), __builtin_LINE()))
