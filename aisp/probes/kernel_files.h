// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading the small text files of /proc and /sys. A file that is missing or may not be read is an empty
/// optional.
///
///   if (auto text = read_line("/proc/sys/kernel/perf_event_paranoid")) ...
///   auto swaps = counter_in("/proc/vmstat", "pswpin");
///
/// Not for files of users: nothing is reported when reading fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aisp::probes {

/// The whole file, at most 1 MiB of it.
std::optional<std::string> read_text(const std::string& path);
/// The first line, without trailing blanks.
std::optional<std::string> read_line(const std::string& path);
std::optional<std::uint64_t> read_number(const std::string& path);
/// The number after `key` in lines such as "key 12" or "Key:  12 kB".
std::optional<std::uint64_t> counter_in(const std::string& path, std::string_view key);
/// Of a list such as "always [madvise] never", the chosen entry.
std::optional<std::string> chosen_in(const std::string& path);
/// Names in a directory that start with `prefix` and go on with a digit, in numerical order: "cpu0", "cpu1",
/// ...
std::vector<std::string> numbered_entries(const std::string& directory, std::string_view prefix);

}  // namespace aisp::probes
