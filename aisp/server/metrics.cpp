// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/metrics.h"

#include <algorithm>

#include <fmt/format.h>

namespace aisp::server {

void Metrics::count(const std::string& route, int status, std::chrono::nanoseconds took) {
  const double seconds = std::chrono::duration<double>(took).count();
  const auto bound = std::ranges::lower_bound(kBounds, seconds);
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  Times& times = times_[route];
  ++times.within[static_cast<std::size_t>(bound - kBounds.begin())];
  times.sum += seconds;
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  std::string text;
  for (const Gauge& gauge : gauges)
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", gauge.name, gauge.help, gauge.value);
  const std::lock_guard lock(mutex_);
  text +=
      "# HELP aisp_http_requests_total requests answered, by route and status\n"
      "# TYPE aisp_http_requests_total counter\n";
  for (const auto& [key, count] : requests_)
    text += fmt::format("aisp_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second,
                        count);
  text +=
      "# HELP aisp_http_request_seconds from the whole request to the response\n"
      "# TYPE aisp_http_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < times.within.size(); ++i) {
      sum += times.within[i];
      const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf";
      text +=
          fmt::format("aisp_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, bound, sum);
    }
    text += fmt::format(
        "aisp_http_request_seconds_sum{{route=\"{0}\"}} {1}\n"
        "aisp_http_request_seconds_count{{route=\"{0}\"}} {2}\n",
        route, times.sum, sum);
  }
  return text;
}

}  // namespace aisp::server
