// SPDX-License-Identifier: Apache-2.0
// A command line that somebody copies from the README or from --help is parsed, and names workloads and
// variants that exist.
#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "aisp/cli/command.h"
#include "aisp/cli/help.h"
#include "aisp/cli/older_spellings.h"
#include "aisp/cli/parse.h"
#include "aisp/harness/plan.h"
#include "tests/integration/aisp_process.h"

namespace aisp::cli {
namespace {

using harness::WorkloadInfo;
using Words = std::vector<std::string>;

/// As a shell would split it: an example ends where its remark begins, after two spaces.
Words words_of(const std::string& line) {
  std::istringstream text(line.substr(0, line.find("  ")));
  Words words;
  for (std::string word; text >> word;) {
    std::erase(word, '\'');
    words.push_back(word);
  }
  return words;
}

/// "aisp ..." in backticks, and lines that are a command.
std::vector<std::string> examples_in(const std::string& text) {
  static const std::regex kExample(R"re(`(aisp [^`]*)`|(?:^|\n)(?:\$ )?(aisp [^\n:]*)(?=\n|$))re");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), kExample), end; at != end; ++at)
    found.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
  return found;
}

std::vector<std::string> all_examples() {
  std::ifstream file(std::string(AISP_SOURCE_DIR) + "/README.md");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text += "\n" + overview();
  for (const Command* command : commands()) text += "\n" + command->details;
  return examples_in(text);
}

std::vector<WorkloadInfo> catalogue() {
  testing::Sandbox box;
  const testing::Finished list = box.run({"list", "--json", "--plugin", testing::plugin("dishonest")});
  std::vector<WorkloadInfo> workloads;
  for (const Json& entry : list.json().value("workloads", Json::array())) {
    WorkloadInfo info{.id = entry["id"]};
    for (const Json& variant : entry["variants"]) info.variants.push_back({.name = variant["name"]});
    workloads.push_back(std::move(info));
  }
  return workloads;
}

/// What of the arguments names workloads; `variants` gets what names their variants.
Words targets_of(const Command& command, Arguments arguments, Words& variants) {
  variants = arguments.list("variant");
  Words targets = arguments.positional;
  if (command.name == "compare" && arguments.has("build")) return {targets.front()};
  if (command.name == "compare" && targets.size() == 3) {
    variants.assign(targets.begin() + 1, targets.end());
    return {targets.front()};
  }
  const bool asks = command.group == "analyze";
  if (command.name != "run" && command.name != "list" && command.name != "verify" && !asks) return {};
  std::erase(targets, "chapters");
  return targets;
}

TEST(Examples, ParseAndNameWhatExists) {
  const std::vector<WorkloadInfo> workloads = catalogue();
  ASSERT_FALSE(workloads.empty());
  int seen = 0;
  for (const std::string& example : all_examples()) {
    SCOPED_TRACE(example);
    Words words = words_of(example);
    words.erase(words.begin());
    if (words.front() == "COMMAND") continue;
    words = without_group(words);
    const Command* command = find_command(words.front());
    ASSERT_NE(command, nullptr);
    words.erase(words.begin());
    std::erase(words, "--help");  // is answered before anything else is looked at
    const Result<Arguments> arguments = parse(*command, words);
    ASSERT_TRUE(arguments) << arguments.error().message;
    Words variants;
    for (const std::string& target : targets_of(*command, *arguments, variants)) {
      const auto matching = harness::match_target(workloads, target);
      EXPECT_FALSE(matching.empty()) << target;
      for (const WorkloadInfo* workload : matching) {
        for (const std::string& name : variants)
          EXPECT_NE(std::ranges::find(workload->variants, name, &harness::VariantInfo::name),
                    workload->variants.end())
              << workload->id << " has no variant " << name;
      }
    }
    ++seen;
  }
  EXPECT_GT(seen, 25) << "the examples were not found";
}

}  // namespace
}  // namespace aisp::cli
