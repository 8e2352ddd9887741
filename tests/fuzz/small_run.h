// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run with a cell of every kind and few samples: fuzzers like small seeds.
#pragma once

#include <algorithm>

#include "tests/report/example_run.h"

namespace aisp::fuzz {

inline RunRecord small_run() {
  RunRecord run = report::example_run();
  for (CellResult& cell : run.cells) {
    cell.rounds.resize(std::min<std::size_t>(cell.rounds.size(), 2));
    for (VariantResult& variant : cell.variants) {
      Samples& s = variant.samples;
      for (auto* column : {&s.attempt, &s.round, &s.pass, &s.calls})
        column->resize(std::min<std::size_t>(column->size(), 3));
      s.ns.resize(std::min<std::size_t>(s.ns.size(), 3));
      s.items.resize(std::min<std::size_t>(s.items.size(), 1));
    }
  }
  return run;
}

}  // namespace aisp::fuzz
