// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures made by hand, with which every answer can be computed on paper.
///
///   std::vector<Figure> figures = contest("n=1", {{"base", 100}, {"fast", 50}});   // 100 ns, 50 ns
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aisp/core/figure.h"

namespace aisp::analysis {

/// `share` to either side.
inline Estimate about(double value, double share) {
  return {value, value * (1 - share), value * (1 + share)};
}

/// Valid variants of one cell and their times in ns, the first the baseline; intervals of 2 % to either side.
inline std::vector<Figure> contest(const std::string& parameters,
                                   const std::vector<std::pair<std::string, double>>& times,
                                   double share = 0.02) {
  std::vector<Figure> figures;
  for (const auto& [name, ns] : times) {
    Figure figure;
    figure.hardware = "NVIDIA H200";
    figure.workload = "ch07/transpose";
    figure.parameters = parameters;
    figure.device = "cuda:0";
    figure.variant = name;
    figure.seq = 1;
    figure.run = "r1";
    figure.validity = Validity::valid;
    figure.baseline = figures.empty();
    figure.time_ns = figure.figure = about(ns, share);
    if (!figure.baseline) {
      figure.gain = about(times.front().second / ns, share);
      figure.against = times.front().first;
    }
    figures.push_back(figure);
  }
  return figures;
}

inline std::vector<Figure> joined(std::vector<Figure> a, const std::vector<Figure>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace aisp::analysis
