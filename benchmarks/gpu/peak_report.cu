// SPDX-License-Identifier: Apache-2.0
// A GPU's ceilings as a table: name, level, value, unit, published value, share of it, probe.
//   usage: peak_report [--all]        --all: every probe that was tried, not only the best
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>

#include "aisp/device/cuda/peak.h"
#include "aisp/device/gpu/published_rates.h"

namespace {

void print(const char* kind, const aisp::Ceiling& c, const std::string& device) {
  const bool time = c.unit == "ns";
  const double scale = time ? 1 : (c.unit == "B/s" ? 1e9 : 1e12);
  const std::string unit = time ? "ns" : (c.unit == "B/s" ? "GB/s" : "T" + c.unit);
  std::printf("%s%-20s %-9s %9.1f %-8s", kind, c.name.c_str(), c.level.c_str(), c.value / scale,
              unit.c_str());
  if (const auto said = aisp::device::published(device, c.name, c.level)) {
    std::printf(" %7.1f %4.0f %%", *said / scale, 100 * c.value / *said);
  } else {
    std::printf("               ");
  }
  std::printf("  %s\n", c.probe.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const bool all = argc > 1 && std::strcmp(argv[1], "--all") == 0;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  try {
    aisp::cuda::GpuPeakOptions options;
    if (all) options.tried = [](const aisp::Ceiling& c) { print("tried ", c, ""); };
    const aisp::Ceilings ceilings =
        aisp::cuda::measure_gpu_ceilings(options, [&](double done, const std::string& what) {
          std::fprintf(stderr, "%5.1f s %3.0f %% %s\n", seconds(), 100 * done, what.c_str());
        });
    std::printf("%s, measured in %.1f s\n", ceilings.hardware.c_str(), seconds());
    for (const aisp::Ceiling& c : ceilings.entries) print("  ", c, ceilings.hardware);
    for (const std::string& note : ceilings.notes) std::printf("  note: %s\n", note.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peak_report: %s\n", error.what());
    return 4;
  }
  return 0;
}
