// SPDX-License-Identifier: Apache-2.0
/// \file
/// An answer with its arithmetic: what went in, with every default named as one, then a line for each step.
///
///   Worksheet sheet(arguments, kKvCache);
///   if (const Status given = sheet.need({"layers", "tokens"}); !given) return fail(arguments,
///   given.error()); sheet.step("one token", "2 x 8 x 128 x 80 layers", bytes, "bytes"); return
///   sheet.print();
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

class Worksheet {
 public:
  Worksheet(const Arguments& arguments, const Command& command) : arguments_(arguments), command_(command) {}

  /// An Error that names the flags that have no value, if some have none.
  Status need(std::initializer_list<const char*> flags) const;
  /// An input that follows from another where its flag is not given.
  void assume(const std::string& flag, double value) { assumed_.emplace_back(flag, value); }
  /// `shown`: the value as people read it, where that is not the number itself: "40.0 GiB".
  void step(const std::string& name, const std::string& arithmetic, double value, const std::string& unit,
            const std::string& shown = {});
  void note(const std::string& text) { notes_.push_back(text); }

  /// Returns the exit code.
  int print() const;

 private:
  struct Step {
    std::string name, arithmetic, unit, shown;
    double value;
  };
  std::string text() const;
  std::string json() const;

  const Arguments& arguments_;
  const Command& command_;
  std::vector<std::pair<std::string, double>> assumed_;
  std::vector<Step> steps_;
  std::vector<std::string> notes_;
};

/// Six digits; all of those before the point, no exponent below 10^15: "163840", "0.0237".
std::string plain_number(double value);

}  // namespace aisp::cli
