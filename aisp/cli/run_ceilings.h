// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ceilings by which a run's cells are judged: stored ones, or measured where there are none; and
/// measured once more when only they stand between a variant and a valid result.
///
///   RunCeilings ceilings(results, config.device, hardware, progress);
///   ceilings.know();
///   Result<CellResult> cell = measure(ceilings.now());
///   if (ceilings.were_too_low(*cell)) cell = measure(ceilings.now());
#pragma once

#include <string>

#include "aisp/cli/terminal.h"
#include "aisp/core/ceiling.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

class RunCeilings {
 public:
  RunCeilings(store::Store& results, std::string device, std::string hardware, Progress& progress);

  /// Stored ones were found, or they were measured.
  bool known() const { return known_; }
  /// Measures them where none are stored; takes seconds.
  void know();
  /// Empty until they are known.
  const Ceilings& now() const { return ceilings_; }

  /// A machine that was busy when its ceilings were measured can do more than they say, and an honest variant
  /// is then faster than the floor. If that alone rejected one, they are measured again, once in a run; true
  /// when one rose: the cell is to be measured again. A variant that skips its work gains nothing by it.
  bool were_too_low(const CellResult& cell);

  /// A ceiling is never below what a valid workload reached. Not for plugins and other builds: they say
  /// themselves how many bytes they move.
  Status raise_by(const CellResult& cell);

 private:
  Result<Ceilings> measure() const;

  store::Store& results_;
  std::string device_, hardware_;
  Progress& progress_;
  Ceilings ceilings_;
  bool known_ = false;
  bool measured_again_ = false;
};

}  // namespace aisp::cli
