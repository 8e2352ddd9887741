// SPDX-License-Identifier: Apache-2.0
/// \file
/// A store made by hand, and `aisp` asked about it as a user would.
///
///   TEST_F(Analyze, Costs) { EXPECT_EQ(ask({"cost", "--rate", "1"})["total"], 3); }
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/store/figures_fixture.h"

namespace aisp::testing {

using store::test::cell_of;
using store::test::finish_run;
using Words = std::vector<std::string>;

class Analyze : public ::testing::Test {
 protected:
  /// naive 200, tiled 50, wide 51 ns at n=64; memory 1, 4 and 2 KiB.
  void SetUp() override { keep("r1", {transpose()}); }
  static CellResult transpose() {
    CellResult cell = cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}, {"wide", 51}});
    const double bytes[] = {1024, 4096, 2048};
    for (std::size_t i = 0; i < 3; ++i) {
      cell.variants[i].memory.peak_bytes = bytes[i];
      cell.variants[i].evidence.answers.checked = 1;
    }
    cell.work_bytes = 32768;
    cell.work_items = 4096;
    cell.device = "cuda:0";
    return cell;
  }
  void keep(const std::string& run, const std::vector<CellResult>& cells,
            const std::string& hardware = "NVIDIA H200") {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    finish_run(*store, run, cells, hardware);
  }
  Json ask(Words words, int code = 0) {
    words.emplace_back("--json");
    const Finished said = box.run(words);
    EXPECT_EQ(said.exit_code, code) << said.out << said.err;
    return said.json();
  }
  Sandbox box;
};

}  // namespace aisp::testing
