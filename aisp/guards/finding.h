// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a guard words its finding: one function per level, and the few ways numbers are written in it, so that
/// all guards speak alike.
///
///   if (!(error <= 1)) return reject("worst error is " + number(error) + " x the tolerance", "see the
///   reference"); return pass(count(calls) + " answers are right");
///
/// Not a formatter for tables: columns and units of reports live in aisp/report.
#pragma once

#include <cstdint>
#include <string>

#include "aisp/core/verdict.h"

namespace aisp::guards {

Finding pass(std::string because);
Finding note(std::string because, std::string hint);
Finding unknown(std::string missing, std::string hint);
Finding reject(std::string because, std::string hint);

/// Four significant digits: "1.25", "3.1e-10", "nan".
std::string number(double value);
/// Digits in groups: "12,345".
std::string count(std::uint64_t value);
/// From nanoseconds: "12.3 µs", "1.5 s".
std::string duration(double ns);
/// From a share: 0.031 is "3.1 %".
std::string percent(double share);

}  // namespace aisp::guards
