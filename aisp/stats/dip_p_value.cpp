// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "aisp/stats/dip.h"

namespace aisp::stats {
namespace {

// Upper quantiles of sqrt(n) * dip of uniform samples, simulated with dip() itself: 100,000 samples a row up
// to n = 500, 40,000 at 1,000, 20,000 at 3,000. The uniform is the least favourable of the distributions with
// one mode, so the real rate of false alarms is lower for others.
constexpr std::array<double, 9> kLevels = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001};

struct Row {
  int n;
  std::array<double, kLevels.size()> quantiles;
};

constexpr std::array<Row, 10> rows = {{
    {10, {0.3092, 0.3764, 0.4132, 0.4422, 0.4776, 0.5042, 0.5282, 0.5563, 0.5720}},
    {15, {0.3237, 0.3855, 0.4262, 0.4593, 0.4982, 0.5257, 0.5519, 0.5808, 0.6042}},
    {20, {0.3280, 0.3948, 0.4343, 0.4701, 0.5111, 0.5393, 0.5642, 0.5953, 0.6182}},
    {30, {0.3366, 0.4045, 0.4458, 0.4817, 0.5261, 0.5561, 0.5830, 0.6175, 0.6378}},
    {50, {0.3456, 0.4159, 0.4581, 0.4967, 0.5424, 0.5748, 0.6047, 0.6395, 0.6614}},
    {100, {0.3546, 0.4273, 0.4719, 0.5104, 0.5584, 0.5905, 0.6218, 0.6577, 0.6840}},
    {200, {0.3616, 0.4351, 0.4810, 0.5212, 0.5720, 0.6075, 0.6382, 0.6801, 0.7062}},
    {500, {0.3677, 0.4424, 0.4884, 0.5298, 0.5789, 0.6143, 0.6448, 0.6818, 0.7157}},
    {1000, {0.3713, 0.4475, 0.4915, 0.5333, 0.5810, 0.6178, 0.6492, 0.6964, 0.7272}},
    {3000, {0.3749, 0.4519, 0.5000, 0.5444, 0.5942, 0.6281, 0.6623, 0.7008, 0.7358}},
}};

// Between the rows the quantiles move almost linearly in log n; beyond the last they hardly move.
std::array<double, kLevels.size()> quantiles_for(int n) {
  std::size_t above = 0;
  while (above < rows.size() && rows[above].n < n) ++above;
  if (above == 0) return rows.front().quantiles;
  if (above == rows.size()) return rows.back().quantiles;
  const Row &a = rows[above - 1], &b = rows[above];
  const double part = std::log(static_cast<double>(n) / a.n) / std::log(static_cast<double>(b.n) / a.n);
  std::array<double, kLevels.size()> between{};
  for (std::size_t i = 0; i < between.size(); ++i)
    between[i] = std::lerp(a.quantiles[i], b.quantiles[i], part);
  return between;
}

}  // namespace

double dip_p_value(double dip, int n) {
  if (n < rows.front().n || !(dip > 0)) return 1;
  const auto quantiles = quantiles_for(n);
  const double scaled = std::sqrt(static_cast<double>(n)) * dip;
  if (scaled < quantiles.front()) return 1;
  for (std::size_t i = 1; i < kLevels.size(); ++i) {
    if (scaled >= quantiles[i]) continue;
    const double part = (scaled - quantiles[i - 1]) / (quantiles[i] - quantiles[i - 1]);
    return std::exp(std::lerp(std::log(kLevels[i - 1]), std::log(kLevels[i]), part));
  }
  return kLevels.back();
}

}  // namespace aisp::stats
