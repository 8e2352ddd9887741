// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/peak.h"

#include <optional>

#include "aisp/cli/commands.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/output_file.h"
#include "aisp/cli/peak_table.h"
#include "aisp/cli/raise_ceilings.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/harness/date.h"
#include "aisp/report/roofline.h"

namespace aisp::cli {
namespace {

Status write_roofline(const Arguments& arguments, const Ceilings& ceilings) {
  if (!arguments.has("roofline")) return Ok{};
  const Result<std::string> picture = report::draw_roofline(ceilings);
  if (!picture) return picture.error();
  return write_output(arguments.text("roofline"), *picture, "--roofline");
}

int run_peak(const Arguments& arguments) {
  if (arguments.has("roofline")) {
    if (const Status fine = check_output(arguments.text("roofline"), "--roofline"); !fine)
      return fail(arguments, fine.error());
  }
  const std::string device = arguments.text("device");
  if (const Status known = check_device(device); !known) return fail(arguments, known.error());
  // A store that cannot be written to is told before the measurement.
  std::optional<store::Store> results;
  if (!arguments.has("no-store")) {
    Result<store::Store> opened = open_store(arguments, store::Access::read_write);
    if (!opened) return fail(arguments, opened.error());
    results = *std::move(opened);
  }
  if (const std::string busy = busy_machine(); !busy.empty())
    warn(arguments, busy + "; ceilings may come out low");
  Progress progress(arguments);
  Ceilings ceilings;
  if (kind_of(device) == DeviceKind::cpu) {
    ceilings =
        device::measure_ceilings({.seconds = arguments.number("seconds")},
                                 [&](double done, const std::string& what) { progress.show(done, what); });
    ceilings.hardware = device::hardware_key();
  } else {
    progress.show(0, "ceilings of " + device + ", about a quarter of a minute");
    const Result<Ceilings> measured = measure_gpu_ceilings(device);
    if (!measured) return fail(arguments, measured.error());
    ceilings = *measured;
  }
  progress.clear();
  ceilings.date = harness::utc_now();
  if (results) {
    const auto earlier = results->latest_ceilings(ceilings.hardware);
    if (!earlier) return fail(arguments, earlier.error());
    if (earlier->has_value()) carry_over(**earlier, ceilings);
    if (const Status kept = results->ceilings_measured(ceilings); !kept) return fail(arguments, kept.error());
  }
  if (const Status drawn = write_roofline(arguments, ceilings); !drawn) return fail(arguments, drawn.error());
  const std::string text =
      arguments.json() ? json_document("peak", to_json(ceilings)) : peak_table(ceilings, kind_of(device));
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

}  // namespace

const Command kPeak{
    .name = "peak",
    .summary = "Measures this machine's ceilings: bandwidth, latency, arithmetic",
    .positional = "",
    .flags = {{.name = "device",
               .kind = FlagKind::text,
               .help = "whose: cpu, or cuda:0",
               .value = "DEVICE",
               .fallback = "cpu"},
              {.name = "seconds",
               .kind = FlagKind::real,
               .help = "time to spend, on a CPU",
               .value = "SECONDS",
               .fallback = "20",
               .low = 1,
               .high = 3600},
              {.name = "roofline",
               .kind = FlagKind::text,
               .help = "draw them as a picture, too",
               .value = "FILE.svg"},
              {.name = "no-store", .kind = FlagKind::toggle, .help = "do not use them for later runs"}},
    .run = run_peak};

}  // namespace aisp::cli
