// SPDX-License-Identifier: Apache-2.0
// Memory that is refused while something from outside is read: an error or std::bad_alloc, never half a
// value.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "aisp/cli/command.h"
#include "aisp/cli/settings.h"
#include "aisp/harness/protocol.h"
#include "aisp/wire/json.h"
#include "tests/allocation/failing_memory.h"
#include "tests/store/fixture.h"

namespace aisp::allocation {
namespace {

/// A failure at every allocation of `read`, which must give `whole` or nothing.
void expect_whole_or_nothing(const std::string& whole,
                             const std::function<std::optional<std::string>()>& read) {
  const Sweep sweep = sweep_allocations(Memory::cpp, 1, [&](long) {
    const std::optional<std::string> text = read();
    stop_failing();
    if (!text) return kRefused;
    return *text == whole ? kDone : kWrong;
  });
  EXPECT_EQ(sweep.wrong, "");
  EXPECT_GT(sweep.failures, 10);
  EXPECT_GT(sweep.threw, 0);
}

TEST(ParserWithoutMemory, OfJson) {
  const std::string text = store::test::text_of(store::test::example_cell(3, 2));
  expect_whole_or_nothing(text, [&]() -> std::optional<std::string> {
    const Result<Json> json = parse_json(text);
    if (!json) return std::nullopt;
    const Result<CellResult> cell = from_json<CellResult>(*json);
    if (!cell) return std::nullopt;
    return store::test::text_of(*cell);
  });
}

TEST(ParserWithoutMemory, OfTheWorkerProtocol) {
  harness::WorkerReply reply{.event = "threw", .variant = "tiled", .message = std::string(200, 'm')};
  const std::string line = encode(reply);
  expect_whole_or_nothing(line, [&]() -> std::optional<std::string> {
    const Result<harness::WorkerReply> read = harness::decode_reply(line);
    if (!read) return std::nullopt;
    return encode(*read);
  });
}

TEST(ParserWithoutMemory, OfTheConfiguration) {
  const store::test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "aisp.toml";
  std::ofstream(file) << "attempts = 5\nequivalence = 0.03\npolicy = \"portable\"\n[run]\nprecision = 0.01\n";
  const cli::Command* run = cli::find_command("run");
  ASSERT_NE(run, nullptr);
  const auto text_of = [](const cli::Arguments& arguments) {
    return std::to_string(arguments.number("attempts")) + " " + arguments.text("policy");
  };
  cli::Arguments known;
  const Status applied = cli::apply_settings(*run, file, known);
  ASSERT_TRUE(applied) << applied.error().message;
  expect_whole_or_nothing(text_of(known), [&]() -> std::optional<std::string> {
    cli::Arguments arguments;
    if (!cli::apply_settings(*run, file, arguments)) return std::nullopt;
    return text_of(arguments);
  });
}

}  // namespace
}  // namespace aisp::allocation
