// SPDX-License-Identifier: Apache-2.0
// A configuration file of any content is either read or refused with a message.
#include "aisp/cli/command.h"
#include "aisp/cli/settings.h"
#include "tests/fuzz/bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const aisp::fuzz::MemoryFile file;
  static const aisp::cli::Command* run = aisp::cli::find_command("run");
  aisp::fuzz::claim(run != nullptr);
  file.write(data, size);
  aisp::cli::Arguments arguments;
  const aisp::Status applied = aisp::cli::apply_settings(*run, file.path(), arguments);
  if (!applied) {
    aisp::fuzz::claim(!applied.error().message.empty());
    return 0;
  }
  // What was accepted is within its declared range, so that no later reader has to ask again.
  for (const aisp::cli::Flag& flag : run->flags) {
    const bool numeric = flag.kind == aisp::cli::FlagKind::integer || flag.kind == aisp::cli::FlagKind::real;
    if (!numeric || !arguments.has(flag.name)) continue;
    const double value = arguments.number(flag.name);
    aisp::fuzz::claim(value >= flag.low && value <= flag.high);
  }
  return 0;
}
