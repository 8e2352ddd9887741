// SPDX-License-Identifier: Apache-2.0
// Registration is complete and harmless: files and registered workloads agree, declarations hold at every
// size the suites use, and nothing but memory was touched before main().
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "aisp/core/combinations.h"
#include "aisp/core/registry.h"

namespace aisp {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Workload files (not their sources of kernels or the anchors) and the id each registers.
std::vector<std::pair<std::string, std::string>> declared_in_files() {
  static const std::regex kRegistration(R"(const\s+Registration\s+\w+\s*\{\{[^"]*\.id\s*=\s*"([^"]+)\")");
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(AISP_SOURCE_DIR) / "workloads")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), kRegistration); at != std::sregex_iterator();
         ++at) {
      found.emplace_back(fs::relative(entry.path(), AISP_SOURCE_DIR).generic_string(), (*at)[1].str());
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<const Workload*> registered() { return Registry::instance().workloads(); }

Params params_at(const Workload& workload, const std::function<std::int64_t(const Axis&)>& pick) {
  Params params;
  for (const Axis& axis : workload.axes) params.set(axis.name, pick(axis));
  return params;
}

std::int64_t smallest(const Axis& axis) {
  return axis.small != 0 ? axis.small : std::ranges::min(axis.values);
}
std::int64_t largest(const Axis& axis) { return std::ranges::max(axis.values); }
std::int64_t quick(const Axis& axis) { return axis.quick.empty() ? axis.values.front() : axis.quick.front(); }

TEST(Registration, EveryFileIsRegisteredAndEveryRegistrationHasItsFile) {
  std::vector<std::pair<std::string, std::string>> linked;
  for (const Workload* workload : registered()) linked.emplace_back(workload->source, workload->id);
  std::ranges::sort(linked);
  EXPECT_EQ(linked, declared_in_files());
  EXPECT_FALSE(linked.empty());
}

TEST(Registration, FilesThatMentionARegistrationAreAllUnderstood) {
  // A registration written in another form would escape the comparison above.
  std::set<std::string> known;
  for (const auto& [file, id] : declared_in_files()) known.insert(file);
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(AISP_SOURCE_DIR) / "workloads")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".cu") continue;  // of builds with CUDA only
    const std::string file = fs::relative(entry.path(), AISP_SOURCE_DIR).generic_string();
    const bool mentions =
        std::regex_search(read(entry.path()), std::regex(R"(\bRegistration\s*(\w+\s*)?[{(])"));
    EXPECT_TRUE(!mentions || known.contains(file)) << file;
  }
}

TEST(Registration, NothingWasRefused) {
  for (const std::string& problem : Registry::instance().problems()) ADD_FAILURE() << problem;
}

TEST(Registration, IdsFollowTheFolderAndTheFile) {
  for (const Workload* workload : registered()) {
    const fs::path file = workload->source;
    const std::string chapter = workload->id.substr(0, workload->id.find('/'));
    const std::string name = workload->id.substr(chapter.size() + 1);
    EXPECT_TRUE(file.parent_path().filename().string().starts_with(chapter + "_"))
        << workload->id << " in " << file;
    EXPECT_TRUE(file.stem() == name || file.stem() == name + "_cpu") << workload->id << " in " << file;
  }
}

TEST(Registration, DeclarationsAreComplete) {
  for (const Workload* workload : registered()) {
    SCOPED_TRACE(workload->id);
    EXPECT_FALSE(workload->title.empty());
    EXPECT_FALSE(workload->tags.empty());
    EXPECT_GE(std::ranges::count(workload->variants, Rung::step, &Variant::rung), 2)
        << "a ladder has two rungs";
    for (const Variant& variant : workload->variants) EXPECT_FALSE(variant.note.empty()) << variant.name;
  }
}

TEST(Registration, TheChaptersReadmeHasTheLadder) {
  for (const Workload* workload : registered()) {
    if (workload->device != DeviceKind::cpu) continue;
    const fs::path readme =
        fs::path(AISP_SOURCE_DIR) / fs::path(workload->source).parent_path() / "README.md";
    const std::string text = read(readme);
    EXPECT_NE(text.find("\n## " + workload->id + "\n"), std::string::npos)
        << workload->id << " in " << readme;
    for (const Variant& variant : workload->variants) {
      const bool alone = techniques_of(variant.name).size() == 1;
      if (is_combination(variant.name) && !alone) continue;  // a row for each technique is enough
      const std::string name = alone ? "+" + techniques_of(variant.name).front() : variant.name;
      EXPECT_NE(text.find("\n| `" + name + "` |"), std::string::npos)
          << workload->id << " " << name << " in " << readme;
    }
  }
}

TEST(Registration, ProblemsHoldAtEverySuiteSize) {
  for (const Workload* workload : registered()) {
    for (const auto& pick : {smallest, quick, largest}) {
      const Params params = params_at(*workload, pick);
      SCOPED_TRACE(workload->id + " " + params.text());
      const Problem problem = workload->problem(params);
      const Status valid = validate(problem);
      EXPECT_TRUE(valid) << (valid ? "" : valid.error().message);
      EXPECT_GE(problem.families(), 2);
      EXPECT_TRUE(problem.work.bytes > 0 || problem.work.flops > 0 || problem.work.items > 0)
          << "no work is declared";
      EXPECT_EQ(problem.operations > 0, workload->shape == Shape::stateful);
    }
  }
}

TEST(Registration, ADuplicateIsRecordedAndTheFirstStays) {
  ASSERT_FALSE(registered().empty());
  Registry registry;
  Workload first = *registered().front();
  Workload second = first;
  first.title = "first";
  registry.add(std::move(first));
  registry.add(std::move(second));
  ASSERT_EQ(registry.workloads().size(), 1u);
  EXPECT_EQ(registry.workloads().front()->title, "first");
  ASSERT_EQ(registry.problems().size(), 1u);
  EXPECT_NE(registry.problems().front().find("again"), std::string::npos);
}

/// Broken declarations are recorded, and none of them is registered.
TEST(Registration, BrokenDeclarationsAreRefused) {
  ASSERT_FALSE(registered().empty());
  const std::vector<std::function<void(Workload&)>> kFaults{
      [](Workload& w) { w.id = "nochapter"; },
      [](Workload& w) { w.idea.clear(); },
      [](Workload& w) { w.problem = nullptr; },
      [](Workload& w) { w.reference = nullptr; },
      [](Workload& w) { w.axes.clear(); },
      [](Workload& w) { w.axes.front().values.clear(); },
      [](Workload& w) { w.axes.front().most = w.axes.front().values.front() - 1; },
      [](Workload& w) { w.variants.clear(); },
      [](Workload& w) { w.variants.push_back(w.variants.front()); },
      [](Workload& w) { w.shape = Shape::collective; },
      [](Workload& w) { w.variants.emplace_back(w.variants.front()).name += "+a+b"; }};
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    Registry registry;
    Workload broken = *registered().front();
    kFaults[i](broken);
    registry.add(std::move(broken));
    EXPECT_TRUE(registry.workloads().empty()) << "fault " << i;
    EXPECT_EQ(registry.problems().size(), 1u) << "fault " << i;
  }
}

}  // namespace
}  // namespace aisp
