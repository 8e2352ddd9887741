// SPDX-License-Identifier: Apache-2.0
/// \file
/// Some facts are not the product's when a sanitizer runs with it: times, page faults, memory that is given
/// back, descriptors that it needs itself.
///
///   TEST(Timing, ...) {
///     SKIP_WHEN_SANITIZED("times are the sanitizer's");
#pragma once

#ifdef AISP_SANITIZED
#define SKIP_WHEN_SANITIZED(why) GTEST_SKIP() << "sanitizer: " << (why)
#else
#define SKIP_WHEN_SANITIZED(why) static_cast<void>(0)
#endif
