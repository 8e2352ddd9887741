// SPDX-License-Identifier: Apache-2.0
// `aisp store` as a user types it. The chain cannot find a store that somebody wrote anew; deriving the
// verdicts again from the samples can.
#include "aisp/store/store.h"

#include <gtest/gtest.h>

#include <optional>

#include "aisp/core/method.h"

#include "tests/cli/stored_run.h"

namespace aisp::testing {
namespace {

/// The run written into a new store, with a chain that holds, after `edit` changed its cell.
template <class Edit>
std::filesystem::path forged(Sandbox& box, Edit edit, std::optional<int> method = std::nullopt) {
  auto original = store::Store::open(box.store(), store::Access::read_only);
  RunRecord run = *original->load("latest");
  edit(run.cells.at(0));
  if (method) run.manifest.method = *method;
  const std::filesystem::path file = box.root() / "forged.db";
  std::filesystem::remove(file);
  auto copy = store::Store::open(file, store::Access::read_write);
  EXPECT_TRUE(copy->run_started(run));
  EXPECT_TRUE(copy->cell_finished(run.id, run.cells.at(0)));
  EXPECT_TRUE(copy->run_finished(run.id, run.status, run.finished));
  return file;
}

TEST(StoreCheck, FindsAVerdictThatDoesNotFollowFromTheSamples) {
  Sandbox box;
  const Finished run = store_a_run(box);
  ASSERT_TRUE(run.json().is_object()) << run.err;
  const auto check = [&](const std::filesystem::path& file) {
    return box.run({"store", "check", "--store", file.string()});
  };
  EXPECT_EQ(check(box.store()).exit_code, 0) << check(box.store()).out;
  EXPECT_EQ(check(forged(box, [](CellResult&) {})).exit_code, 0) << "an unchanged copy holds";

  const Finished verdict = check(forged(box, [](CellResult& cell) {
    for (VariantResult& v : cell.variants)
      v.validity = v.validity == Validity::valid ? Validity::invalid : Validity::valid;
  }));
  EXPECT_EQ(verdict.exit_code, 1) << verdict.out << verdict.err;
  EXPECT_NE(verdict.out.find("pace/fast"), std::string::npos) << verdict.out;

  const Finished faster = check(forged(box, [](CellResult& cell) {
    for (VariantResult& v : cell.variants) {
      if (v.time_ns) v.time_ns->value /= 2;
    }
  }));
  EXPECT_EQ(faster.exit_code, 1) << faster.out << faster.err;
  EXPECT_NE(faster.out.find("differs: "), std::string::npos) << faster.out;
}

TEST(StoreCheck, ComparesEverythingThatIsDerived) {
  Sandbox box;
  ASSERT_TRUE(store_a_run(box).json().is_object());
  const auto code = [&](auto edit, std::optional<int> method = std::nullopt) {
    return box.run({"store", "check", "--store", forged(box, edit, method).string()}).exit_code;
  };
  const auto of_last = [](auto edit) { return [edit](CellResult& cell) { edit(cell.variants.back()); }; };
  EXPECT_EQ(code(of_last([](VariantResult& v) { v.of_paired = RatioEstimate{.ratio = 0.99}; })), 1);
  EXPECT_EQ(code(of_last([](VariantResult& v) { v.percent_of_ceiling = 99; })), 1);
  EXPECT_EQ(code(of_last([](VariantResult& v) { v.figure = Estimate{1, 1, 1}; })), 1);
  EXPECT_EQ(code(of_last([](VariantResult& v) { v.findings.clear(); })), 1);
  EXPECT_EQ(code([](CellResult& cell) { cell.aa = RatioEstimate{.ratio = 1, .low = 1, .high = 1}; }), 1);
}

TEST(StoreCheck, TellsVerdictsOfAnotherMethodFromForgedOnes) {
  Sandbox box;
  ASSERT_TRUE(store_a_run(box).json().is_object());
  const auto other = [](CellResult& cell) { cell.variants.back().findings.clear(); };
  for (const int method : {0, kMethod + 1}) {
    const Finished check = box.run({"store", "check", "--store", forged(box, other, method).string()});
    EXPECT_EQ(check.exit_code, 0) << check.out;
    EXPECT_NE(check.out.find("another method"), std::string::npos) << check.out;
    EXPECT_NE(check.out.find("1 would be judged"), std::string::npos) << check.out;
  }
  EXPECT_EQ(box.run({"store", "check", "--store", forged(box, other).string()}).exit_code, 1);
}

TEST(StoreCommand, PruneNamesWhatItRemoves) {
  Sandbox box;
  const std::string id = store_a_run(box).json().value("id", "");
  ASSERT_NE(id, "");
  const Finished would = box.run({"store", "prune", "--keep", "0", "--dry-run"});
  EXPECT_EQ(would.exit_code, 0) << would.err;
  EXPECT_NE(would.out.find(id), std::string::npos) << would.out;
  EXPECT_EQ(box.run({"show"}).exit_code, 0) << "a dry run removes nothing";
  const Finished bad = box.run({"store", "prune", "--older-than", "2026-99-99"});
  EXPECT_EQ(bad.exit_code, 2) << bad.out;
  const Finished pruned = box.run({"store", "prune", "--keep", "0"});
  EXPECT_NE(pruned.out.find(id), std::string::npos) << pruned.out;
  EXPECT_NE(box.run({"show", id}).exit_code, 0);
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0);
}

TEST(StoreCommand, MergeAddsRuns) {
  Sandbox box, other;
  const std::string id = store_a_run(other).json().value("id", "");
  const Finished merged = box.run({"store", "merge", other.store().string()});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_NE(merged.out.find(id), std::string::npos) << merged.out;
  EXPECT_NE(merged.out.find("`latest` is the run stored last: " + id), std::string::npos) << merged.out;
  EXPECT_EQ(box.run({"show", id}).exit_code, 0);
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0);
  EXPECT_EQ(box.run({"store", "merge"}).exit_code, 2);
  EXPECT_NE(box.run({"store", "merge", "missing.db"}).exit_code, 0);
}

TEST(StoreCommand, MergeTakesSeveralStoresAndRefusesOneNameForTwoRuns) {
  Sandbox box, first, second;
  const std::string a = store_a_run(first).json().value("id", ""),
                    b = store_a_run(second).json().value("id", "");
  const Finished merged =
      box.run({"store", "merge", first.store().string(), second.store().string(), "--json"});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  for (const std::string& id : {a, b}) EXPECT_NE(merged.out.find(id), std::string::npos) << merged.out;
  const Finished again =
      box.run({"store", "merge", first.store().string(), second.store().string(), "--json"});
  EXPECT_EQ(again.json().value("events", -1), 0) << again.out;

  const auto other = forged(first, [](CellResult&) {});  // the same id, stored anew
  const Finished clash = box.run({"store", "merge", other.string()});
  EXPECT_EQ(clash.exit_code, 6) << clash.out;
  EXPECT_NE(clash.err.find(a), std::string::npos) << clash.err;
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0);
}

TEST(StoreCommand, AServersPasswordIsNotRepeated) {
  Sandbox box;
  const std::string url = "postgres://ann:geheim@/aisp?host=" + box.root().string();
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"show", "--store", url},
           {"store", "check", url},
           {"store", "merge", url},
           {"run", "--plugin", plugin("pace"), "pace/fast", "--store=" + url}}) {
    const Finished refused = box.run(words);
    EXPECT_NE(refused.exit_code, 0) << words[0];
    EXPECT_NE(refused.err.find("postgres://ann@/aisp"), std::string::npos) << refused.err;
    EXPECT_EQ((refused.out + refused.err).find("geheim"), std::string::npos) << refused.err;
  }
}

TEST(StoreCommand, WithoutLibpqThePackageIsNamed) {
  Sandbox box;
  // A library of that name that is none, found first.
  box.environment["LD_LIBRARY_PATH"] = box.write("libpq.so.5", "not a library").parent_path().string();
  const Finished refused = box.run({"show", "--store", "postgres://ann@/aisp"});
  EXPECT_EQ(refused.exit_code, 4) << refused.err;
  EXPECT_NE(refused.err.find("libpq5"), std::string::npos) << refused.err;
}

// A typing error in a CI job must not look like a past without regressions.
TEST(StoreCommand, WhatNeedsAStoreMakesNone) {
  Sandbox box;
  const std::filesystem::path folder = box.root() / "missing";
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"replay"},
                                             {"history"},
                                             {"store", "prune", "--keep", "1"},
                                             {"store", "migrate"},
                                             {"run", "--resume"},
                                             {"tune", "--forget"}}) {
    words.insert(words.end(), {"--store", (folder / "x.db").string()});
    const Finished refused = box.run(words);
    EXPECT_EQ(refused.exit_code, 6) << words[0] << refused.out << refused.err;
    EXPECT_NE(refused.err.find("there is no store at " + (folder / "x.db").string()), std::string::npos)
        << refused.err;
    EXPECT_FALSE(std::filesystem::exists(folder)) << words[0];
  }
}

TEST(StoreCommand, MistakesAreNamed) {
  Sandbox box;
  const Finished nothing = box.run({"show", "--store", ""});
  EXPECT_EQ(nothing.exit_code, 2) << nothing.err;
  EXPECT_NE(nothing.err.find("--store names nothing"), std::string::npos) << nothing.err;
  const Finished folder = box.run({"show", "--store", box.root().string()});
  EXPECT_EQ(folder.exit_code, 6) << folder.err;
  EXPECT_NE(folder.err.find("choose another file with --store"), std::string::npos) << folder.err;
  EXPECT_NE(box.run({"store", "chek"}).err.find("did you mean `aisp store check`?"), std::string::npos);
  const Finished extra = box.run({"store", "check", "foo"});
  EXPECT_EQ(extra.exit_code, 2);
  EXPECT_NE(extra.err.find("'foo' is too much"), std::string::npos) << extra.err;
  EXPECT_NE(box.run({"show", "nothing"}).err.find("results.db"), std::string::npos);
}

}  // namespace
}  // namespace aisp::testing
