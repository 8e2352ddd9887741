// SPDX-License-Identifier: Apache-2.0
#include "mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace aisp::benchmarks {
namespace {

/// Number of ways to pick n of n + m ranks with U = u, for every u, as probabilities: W. R. Mann and D. R.
/// Whitney's recurrence over the largest rank, which belongs to the first sample (adding m to U) or to the
/// second.
std::vector<double> distribution(std::size_t n, std::size_t m) {
  std::vector<std::vector<std::vector<double>>> p(n + 1, std::vector<std::vector<double>>(m + 1));
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j <= m; ++j) {
      p[i][j].assign(i * j + 1, 0);
      if (i == 0 || j == 0) {
        p[i][j][0] = 1;
        continue;
      }
      const double first = static_cast<double>(i) / static_cast<double>(i + j);
      for (std::size_t u = 0; u < p[i - 1][j].size(); ++u) p[i][j][u + j] += first * p[i - 1][j][u];
      for (std::size_t u = 0; u < p[i][j - 1].size(); ++u) p[i][j][u] += (1 - first) * p[i][j - 1][u];
    }
  }
  return p[n][m];
}

double normal_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

}  // namespace

double mann_whitney_p(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return 1;
  const auto n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  double u = 0;
  for (const double a : first) {
    for (const double b : second) u += a > b ? 1 : a == b ? 0.5 : 0;
  }
  u = std::max(u, n * m - u);
  std::map<double, int> counts;
  for (const double a : first) ++counts[a];
  for (const double b : second) ++counts[b];
  double ties = 0;
  for (const auto& [value, count] : counts) ties += std::pow(count, 3) - count;
  if (ties == 0 && n <= 50 && m <= 50) {
    const std::vector<double> p = distribution(first.size(), second.size());
    double tail = 0;
    for (auto k = static_cast<std::size_t>(u); k < p.size(); ++k) tail += p[k];
    return std::min(1.0, 2 * tail);
  }
  const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
  if (!(variance > 0)) return 1;
  return std::min(1.0, 2 * normal_tail((u - n * m / 2 - 0.5) / std::sqrt(variance)));
}

}  // namespace aisp::benchmarks
