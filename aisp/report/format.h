// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures for people: a unit that keeps one to three digits before the point, and no digit that the interval
/// does not support.
///
///   format_time(1234.5)                          // "1.23 µs"
///   format_interval({4.5612e6, 4.52e6, 4.61e6})  // "4.56 ms [4.52, 4.61]"
///   format_ratio(speedup)                        // "1.52x [1.49, 1.55]"
///
/// A value that is not a finite number, or a ratio that is not positive, is shown as kUnknownText: a report
/// never prints "inf". Not for files that programs read; those keep every digit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aisp/core/record.h"
#include "aisp/report/text.h"

namespace aisp::report {

inline constexpr std::string_view kUnknownText = "–";

/// Digits after the point (negative: digits before it that are not supported) for a value whose distance to
/// the nearer end of its interval is `distance`: one digit of the distance, two where it begins with 1.
/// At most `most` significant digits of the value.
int supported_decimals(double value, double distance, int most);

/// Three significant digits: "1.23 µs", "4.56 ms", "12.0 s".
std::string format_time(double ns);
/// Digits follow the interval: "4.56 ms".
std::string format_time(const Estimate& ns);
/// "4.56 ms [4.52, 4.61]"; without brackets where the interval is a point; "(no interval)" where it is
/// unbounded.
std::string format_interval(const Estimate& ns);
/// "4.56 ms ±1.1%": the farther end, so that the interval lies inside. As format_interval() where that is
/// more than 5 % and the ends are not about as far away as each other, or as far as zero.
std::string format_spread(const Estimate& ns);

/// "1.52x", three significant digits.
std::string format_ratio(double ratio);
/// "1.52x [1.49, 1.55]".
std::string format_ratio(const RatioEstimate& ratio);
/// "1.52x", digits as the interval supports.
std::string format_ratio_value(const RatioEstimate& ratio);

/// IEC: "512 B", "64.0 KiB", "1.50 GiB".
std::string format_bytes(double bytes);
/// SI: "12.3 GB/s", "187 GFLOP/s", "1.20 k/s" (an empty unit).
std::string format_rate(double per_second, std::string_view unit);
/// "87%", "8.7%", "0.42%".
std::string format_percent(double percent);
/// A plain figure: "0.932", "18400", "1.2e+09".
std::string format_number(double value);
/// Attempts are counted from 0 in records and from 1 for people.
std::string attempt_text(int attempt);

enum class Detail { value, spread, interval };

/// What a goal compares, in the goal's unit (a time, items per second, bytes), as format_time(),
/// format_spread() or format_interval() write times.
std::string format_figure(const Estimate& figure, Goal goal, Detail detail);

}  // namespace aisp::report
