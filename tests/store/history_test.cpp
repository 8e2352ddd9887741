// SPDX-License-Identifier: Apache-2.0
// What a history is made of: every result of a variant in the order of storing, the same on every engine.
#include <gtest/gtest.h>

#include "aisp/store/past_figures.h"
#include "tests/store/every_engine.h"
#include "tests/store/figures_fixture.h"

namespace aisp::store::test {
namespace {

class Histories : public EveryEngine {};

/// A line for each series and one for each of its results, in the order in which they came.
std::string past_of(Store& store, const PastQuery& query) {
  std::string text;
  const Status done = each_past(store, query, [&](PastFigures&& past) {
    text += past.workload + "|" + past.parameters + "|" + past.device + "|" + past.cache + "|" +
            past.variant + "|" + past.hardware + "\n";
    for (const PastFigure& figure : past.figures) {
      const std::optional<Estimate>& said = figure.figure ? figure.figure : figure.time_ns;
      text += "  " + std::to_string(figure.seq) + " " + std::string(figure.run) + " " + figure.finished +
              " " + std::string(name_of(figure.validity)) + " " + std::to_string(said->value) + "\n";
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return text;
}

int series_of(Store& store, const PastQuery& query) {
  int series = 0;
  EXPECT_TRUE(each_past(store, query, [&](PastFigures&&) { ++series; }));
  return series;
}

/// Two machines, a GPU, two sizes, and a variant that was rejected once.
void fill_with_past(Store& store) {
  CellResult rejected = cell_of("w/a", "n=1", {{"base", 90}, {"fast", 40}});
  rejected.variants[1].validity = Validity::invalid;
  CellResult gpu = cell_of("w/a", "n=1", {{"base", 9}});
  gpu.device = "cuda:1";
  finish_run(store, "first", {cell_of("w/a", "n=1", {{"base", 100}, {"fast", 50}})}, "Abacus");
  finish_run(store, "second", {rejected, cell_of("w/a", "n=2", {{"base", 200}, {"Fast", 7}})}, "Abacus");
  finish_run(store, "third", {gpu, cell_of("v/b", "n=1", {{"base", 3}})}, "box");
  finish_run(store, "fourth", {cell_of("w/a", "n=1", {{"base", 80}, {"fast", 30}})}, "Abacus");
}

TEST_P(Histories, TellEveryResultInTheOrderOfStoring) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  fill_with_past(store);
  const std::string at = " 2026-11-15T12:00:00Z ";
  EXPECT_EQ(past_of(store, {.workloads = {"w/a"}, .hardware = "Abacus", .device = {}, .variant_begins = {}}),
            "w/a|n=1|cpu|hot|base|Abacus\n"
            "  2 first" +
                at +
                "valid 100.000000\n"
                "  5 second" +
                at +
                "valid 90.000000\n"
                "  13 fourth" +
                at +
                "valid 80.000000\n"
                "w/a|n=1|cpu|hot|fast|Abacus\n"
                "  2 first" +
                at +
                "valid 50.000000\n"
                "  5 second" +
                at +
                "invalid 40.000000\n"
                "  13 fourth" +
                at +
                "valid 30.000000\n"
                "w/a|n=2|cpu|hot|Fast|Abacus\n"
                "  6 second" +
                at +
                "valid 7.000000\n"
                "w/a|n=2|cpu|hot|base|Abacus\n"
                "  6 second" +
                at + "valid 200.000000\n");
}

// Each alone and together: what is not asked leaves a gap in the numbers of the statement's parameters.
TEST_P(Histories, AreRestrictedToWhatIsAsked) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  fill_with_past(store);
  const auto asked = [&](std::vector<std::string> workloads, const char* hardware, const char* device,
                         const char* begins) {
    return series_of(store, {.workloads = std::move(workloads),
                             .hardware = hardware,
                             .device = device,
                             .variant_begins = begins});
  };
  EXPECT_EQ(asked({}, "", "", ""), 6);
  EXPECT_EQ(asked({"w/a"}, "", "", ""), 5);
  EXPECT_EQ(asked({"v/b", "w/a"}, "", "", ""), 6);
  EXPECT_EQ(asked({"w"}, "", "", ""), 0) << "exact";
  EXPECT_EQ(asked({}, "box", "", ""), 2);
  EXPECT_EQ(asked({}, "Box", "", ""), 0) << "exact";
  EXPECT_EQ(asked({}, "", "cuda", ""), 1) << "every device of the kind";
  EXPECT_EQ(asked({}, "", "cuda:1", ""), 1);
  EXPECT_EQ(asked({}, "", "cuda:", ""), 0);
  EXPECT_EQ(asked({}, "", "", "fa"), 1);
  EXPECT_EQ(asked({}, "", "", "%"), 0) << "text, not a pattern";
  EXPECT_EQ(asked({"w/a"}, "", "cpu", "ba"), 2);
  EXPECT_EQ(asked({"w/a"}, "box", "cpu", ""), 0);
  EXPECT_EQ(asked({}, "Abacus", "cpu", "F"), 1);
}

TEST_P(Histories, MayReadTheStoreMeanwhile) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  fill_with_past(store);
  int read = 0;
  const Status done = each_past(store, {}, [&](PastFigures&& past) {
    const Result<CellResult> cell = store.load_cell(past.figures.front().seq);
    ASSERT_TRUE(cell) << cell.error().message;
    EXPECT_EQ(cell->workload, past.workload);
    ++read;
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(read, 6);
}

TEST_P(Histories, AreTheSameWithoutTheTable) {
  const Place place(GetParam());
  std::string all, some;
  const PastQuery query{.workloads = {"w/a"}, .hardware = {}, .device = "cpu", .variant_begins = {}};
  {
    Store store = open_store(place.file());
    fill_with_past(store);
    all = past_of(store, {});
    some = past_of(store, query);
  }
  sql(place.file(), "DROP TABLE figures_made");
  Store store = *Store::open(place.file(), Access::read_only);
  EXPECT_EQ(past_of(store, {}), all);
  EXPECT_EQ(past_of(store, query), some);
}

INSTANTIATE_TEST_SUITE_P(On, Histories, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
