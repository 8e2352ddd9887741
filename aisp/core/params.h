// SPDX-License-Identifier: Apache-2.0
/// \file
/// The size of one cell: named integers such as n=1024 threads=2, in the order the workload declares its
/// axes.
///
///   Params p{{"n", 1024}, {"threads", 2}};
///   p["n"];            // 1024
///   p.text();          // "n=1024 threads=2"
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aisp {

class Params {
 public:
  using Entry = std::pair<std::string, std::int64_t>;

  Params() = default;
  Params(std::initializer_list<Entry> entries) : entries_(entries) {}

  /// The value; a name the workload did not declare is a bug in the workload and ends the process.
  std::int64_t operator[](std::string_view name) const;
  bool has(std::string_view name) const;
  void set(std::string_view name, std::int64_t value);
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& entries() { return entries_; }
  /// "n=1024 threads=2"; the key under which a cell is stored.
  std::string text() const;
  bool operator==(const Params&) const = default;

 private:
  std::vector<Entry> entries_;
};

/// One axis of a workload's sizes. `values` are measured by `aisp run`, `quick` by the quick suite (empty:
/// the first of `values`), `small` by correctness checks (0: the smallest of `values`). Users may ask for any
/// value from `least` to `most`; others are refused before the workload sees them.
struct Axis {
  std::string name;
  std::vector<std::int64_t> values;
  std::vector<std::int64_t> quick = {};
  std::int64_t small = 0;
  std::int64_t least = 1;
  std::optional<std::int64_t> most = {};  ///< nothing: as much as fits
};

}  // namespace aisp
