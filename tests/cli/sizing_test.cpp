// SPDX-License-Identifier: Apache-2.0
// The worked examples of docs/handbook/sizing.md are what the program prints, to the letter; and what cannot
// be computed is refused with a reason.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

using Words = std::vector<std::string>;

struct Example {
  Words words;
  std::string output;
  std::size_t begin = 0, end = 0;  ///< of the output in the text
};

const std::string kPage = std::string(AISP_SOURCE_DIR) + "/docs/handbook/sizing.md";

std::string page() {
  std::ifstream file(kPage, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Blocks that begin with "$ aisp ...": a command, on lines that end in a backslash but for the last, and
/// what it prints.
std::vector<Example> examples_of(const std::string& text) {
  const std::string fence = "```", start = fence + "console\n$ aisp ";
  std::vector<Example> found;
  for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
    Example example;
    std::size_t line = at + start.size();
    for (bool more = true; more;) {
      const std::size_t end = text.find('\n', line);
      std::istringstream words(text.substr(line, end - line));
      more = false;
      for (std::string word; words >> word;) {
        if (word == "\\") {
          more = true;
        } else {
          example.words.push_back(word);
        }
      }
      line = end + 1;
    }
    example.begin = line;
    example.end = text.find(fence, line);
    example.output = text.substr(line, example.end - line);
    at = example.end;
    found.push_back(std::move(example));
  }
  return found;
}

TEST(Sizing, WorkedExamplesAreWhatIsPrinted) {
  Sandbox box;
  std::string text = page();
  std::vector<Example> examples = examples_of(text);
  ASSERT_GE(examples.size(), 5u) << kPage;
  const char* update = std::getenv("AISP_UPDATE_GOLDEN");
  // From the last to the first, so that places stay true.
  for (auto example = examples.rbegin(); example != examples.rend(); ++example) {
    const Finished printed = box.run(example->words);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    if (update != nullptr && std::string(update) == "1") {
      text.replace(example->begin, example->end - example->begin, printed.out);
    } else {
      EXPECT_EQ(printed.out, example->output)
          << "AISP_UPDATE_GOLDEN=1 rewrites the page; read the difference";
    }
  }
  if (update != nullptr && std::string(update) == "1") std::ofstream(kPage, std::ios::binary) << text;
}

/// The value of a step of the arithmetic.
double step_of(const Json& sheet, const std::string& name) {
  for (const Json& step : sheet.value("steps", Json::array())) {
    if (step["name"] == name) return step["value"];
  }
  return -1;
}

TEST(Sizing, TypesDifferByTheirBitsAndScales) {
  Sandbox box;
  const auto token = [&](const Words& more) {
    Words words{"kv-cache", "--json",     "--layers", "1",        "--kv-heads",
                "1",        "--head-dim", "64",       "--tokens", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return step_of(box.run(words).json(), "a token");
  };
  EXPECT_EQ(token({"--dtype", "fp32"}), 512);
  EXPECT_EQ(token({"--dtype", "bf16"}), 256);
  EXPECT_EQ(token({"--dtype", "fp8"}), 128);
  EXPECT_EQ(token({"--dtype", "fp8", "--scale-block", "32"}), 132);
  EXPECT_EQ(token({"--dtype", "fp4"}), 2 * (32 + 4)) << "a scale for 16 numbers, unless said";
  EXPECT_EQ(token({"--dtype", "fp4", "--scale-block", "0"}), 64);
}

TEST(Sizing, DefaultsAreNamedAsSuch) {
  Sandbox box;
  const Json sheet =
      box.run({"kv-cache", "--json", "--layers", "1", "--hidden", "8", "--tokens", "1", "--dtype", "fp4"})
          .json();
  std::map<std::string, bool> defaults;
  for (const Json& input : sheet["inputs"]) defaults[input["name"]] = input["default"];
  EXPECT_TRUE(defaults.at("scale-block"));
  EXPECT_TRUE(defaults.at("page-tokens"));
  EXPECT_TRUE(defaults.at("batch"));
  EXPECT_FALSE(defaults.at("layers"));
}

TEST(Sizing, HeadsCanBeSaidInSeveralWays) {
  Sandbox box;
  const auto token = [&](const Words& heads) {
    Words words{"kv-cache", "--json", "--layers", "2", "--tokens", "1"};
    words.insert(words.end(), heads.begin(), heads.end());
    return step_of(box.run(words).json(), "a token");
  };
  const double all = 2 * 1024 * 2 * 2;
  EXPECT_EQ(token({"--hidden", "1024"}), all);
  EXPECT_EQ(token({"--hidden", "1024", "--heads", "8"}), all);
  EXPECT_EQ(token({"--hidden", "1024", "--heads", "8", "--kv-heads", "2"}), all / 4);
  EXPECT_EQ(token({"--kv-heads", "8", "--head-dim", "128"}), all);
}

TEST(ProbeHw, AsksTheDriversLibraryAboutGpus) {
  Sandbox box;
  box.environment["LD_LIBRARY_PATH"] = std::filesystem::path(plugin("pace")).parent_path() / "fake_driver";
  const Json parts = box.run({"utils", "probe-hw", "--json"}).json()["parts"];
  for (const char* part : {"CPU", "NUMA", "GPU", "PCIe", "clocks", "limits"})
    EXPECT_FALSE(parts.value(part, Json::array()).empty()) << part;
  std::map<std::string, std::string> gpu;
  for (const Json& fact : parts.value("GPU", Json::array()))
    gpu[fact["name"]] = fact["value"].is_string() ? fact["value"].get<std::string>() : "unknown";
  EXPECT_EQ(gpu["GPU driver"], "999.1");
  EXPECT_EQ(gpu["GPU 0"], "First GPU");
  EXPECT_EQ(gpu["GPU 0 memory"], "81920 MiB, 80896 MiB free");
  EXPECT_EQ(gpu["GPU 0 clocks"], "core 345 MHz of 1980 MHz, memory 2619 MHz of 2619 MHz");
  EXPECT_EQ(gpu["GPU 0 power limit"], "700 W");
  EXPECT_EQ(gpu["GPU 0 PCIe"], "generation 4 x8 of 5 x?");
  EXPECT_EQ(gpu["GPU 0 NVLink"], "4 links to 00000000:18:00.0");
  EXPECT_EQ(gpu["GPU 1"], "Second GPU");
  EXPECT_EQ(gpu["GPU 1 NVLink"], "none active");
  EXPECT_EQ(gpu["GPU 1 power limit"], "unknown");
}

// A million tokens take 1000 s at 3.60 an hour: one.
TEST(Sizing, ARentedMachineNeedsNoPriceOfPower) {
  Sandbox box;
  const Finished rented =
      box.run({"utils", "cost-per-token", "--throughput", "1000", "--hourly", "3.6", "--json"});
  EXPECT_EQ(rented.exit_code, 0) << rented.err;
  EXPECT_NEAR(step_of(rented.json(), "total"), 1, 1e-12) << rented.out;
  EXPECT_EQ(step_of(rented.json(), "electricity"), -1) << "there is no such step";
  for (const Words& half : {Words{"--power", "800"}, {"--electricity", "0.1"}, {"--hourly", "0"}}) {
    Words words{"cost-per-token", "--throughput", "1000", "--hourly", "3.6"};
    words.insert(words.end(), half.begin(), half.end());
    EXPECT_EQ(box.run(words).exit_code, 2) << half[0];
  }
}

TEST(Sizing, RefusesWhatCannotBe) {
  Sandbox box;
  const Words kv{"kv-cache", "--layers", "2", "--tokens", "4"};
  const Words cost{"cost-per-token", "--power", "800", "--throughput", "10", "--electricity", "0.1"};
  const auto refused = [&](Words words, const Words& more, int code) {
    words.insert(words.end(), more.begin(), more.end());
    const Finished answer = box.run(words);
    EXPECT_EQ(answer.exit_code, code) << answer.out << answer.err;
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.err, "");
  };
  refused(kv, {}, 2);  // no heads
  refused(kv, {"--hidden", "0"}, 2);
  refused(kv, {"--hidden", "-8"}, 2);
  refused(kv, {"--hidden", "nan"}, 2);
  refused(kv, {"--hidden", "1.5"}, 2);
  refused(kv, {"--hidden", "100", "--heads", "8"}, 3);      // no whole head
  refused(kv, {"--hidden", "1024", "--kv-heads", "2"}, 2);  // of what size?
  refused(kv, {"--mla-latent", "512", "--hidden", "1024"}, 2);
  refused(kv, {"--hidden", "1000000000000", "--batch", "1000000000000"}, 3);  // beyond 2^63 bytes
  refused(cost, {"--throughput", "0"}, 2);
  refused(cost, {"--power", "inf"}, 2);
  refused(cost, {"--utilisation", "1.5"}, 2);
  refused(cost, {"--price", "5"}, 3);  // over how many years?
  refused({"cluster-size", "--parameters", "70"}, {}, 2);
}

}  // namespace
}  // namespace aisp::testing
