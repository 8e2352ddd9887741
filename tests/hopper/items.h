// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tests of what needs a Hopper GPU, each in a process of its own: a kernel that faults or hangs spoils its
/// process's device context, and must not take the others along.
///
///   Item{"wgmma n=256", [](Report& report) { ...; report.expect(ok, "text"); }}
#pragma once

#include <cstdarg>
#include <functional>
#include <string>
#include <vector>

namespace aisp::hopper_test {

/// What one item found. Prints the first few differences, so that a wrong layout shows its pattern.
class Report {
 public:
  explicit Report(std::string item) : item_(std::move(item)) {}
  /// Counts, and prints the first few.
  void wrong(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void note(const char* format, ...) __attribute__((format(printf, 2, 3)));
  bool passed() const { return wrong_ == 0; }
  int count() const { return wrong_; }

 private:
  std::string item_;
  int wrong_ = 0;
};

struct Item {
  std::string name;
  std::function<void(Report&)> run;
};

/// Barriers, copies, products and stores by themselves.
std::vector<Item> machinery_items();
/// Every rung of labs/hopper_matmul, against a plain product, at sizes that fill no tile.
std::vector<Item> rung_items();
/// The kernels of the last rungs on other types than bf16, likewise.
std::vector<Item> type_items();
/// TFLOP/s of the rungs named, beside the library's. Prints a table.
void print_rates(const std::vector<std::string>& rungs);
/// The last rungs of all types in pairs with the library. Prints a table.
void print_pairs();

}  // namespace aisp::hopper_test
