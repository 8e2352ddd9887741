// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/roofline.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

namespace aisp::report {
namespace {

Ceilings example() {
  return {.hardware = "a <device>",
          .date = "2026-11-15T00:00:00Z",
          .entries = {{.name = "read", .level = "memory", .threads = 1, .value = 4e12, .unit = "B/s"},
                      {.name = "read", .level = "memory", .threads = 2, .value = 4.6e12, .unit = "B/s"},
                      {.name = "read", .level = "L2", .value = 9e12, .unit = "B/s"},
                      {.name = "read", .level = "L2+memory", .value = 7e12, .unit = "B/s"},
                      {.name = "write", .level = "memory", .value = 5e12, .unit = "B/s"},
                      {.name = "fma", .level = "f32", .value = 65e12, .unit = "FLOP/s"},
                      {.name = "matmul", .level = "bf16", .value = 918e12, .unit = "FLOP/s"},
                      {.name = "latency", .level = "L2", .value = 140, .unit = "ns"}}};
}

int lines_of(const std::string& svg, const std::string& css) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str())) << svg;
  return static_cast<int>(document.select_nodes(("//line[@class='" + css + "']").c_str()).size());
}

TEST(Roofline, HasASlopeForEachLevelAndALineForEachArithmetic) {
  const Result<std::string> svg = draw_roofline(example());
  ASSERT_TRUE(svg) << svg.error().message;
  EXPECT_EQ(lines_of(*svg, "slope"), 2)
      << "the best of each level; writing and what lies in two levels are no roofs";
  EXPECT_EQ(lines_of(*svg, "level"), 2);
  EXPECT_NE(svg->find("memory 4.60 TB/s"), std::string::npos) << *svg;
  EXPECT_NE(svg->find("matrix bf16 918 TOP/s"), std::string::npos) << *svg;
  EXPECT_NE(svg->find("a &lt;device&gt;"), std::string::npos);
}

TEST(Roofline, NeedsBothKindsOfCeilings) {
  for (const char* missing : {"read", "fma"}) {
    Ceilings some = example();
    std::erase_if(some.entries, [&](const Ceiling& c) { return c.name == missing || c.name == "matmul"; });
    EXPECT_FALSE(draw_roofline(some)) << missing;
  }
}

}  // namespace
}  // namespace aisp::report
