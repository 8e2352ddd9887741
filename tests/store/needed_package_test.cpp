// SPDX-License-Identifier: Apache-2.0
// What is missing skips a test, or fails it where it was asked for.
#include "tests/needed_package.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace aisp::packages {
namespace {

void needs(const char* missing, bool& went_on) {
  SKIP_WITHOUT_PACKAGE(missing);
  went_on = true;
}

/// The variable as it was, again.
class Required {
 public:
  explicit Required(const char* value) {
    if (const char* before = std::getenv(kName)) before_ = before;
    ::setenv(kName, value, 1);
  }
  ~Required() { before_.empty() ? ::unsetenv(kName) : ::setenv(kName, before_.c_str(), 1); }
  Required(const Required&) = delete;
  Required& operator=(const Required&) = delete;

 private:
  static constexpr const char* kName = "AISP_REQUIRE_PACKAGES";
  std::string before_;
};

TEST(NeededPackage, ThatIsMissingSkipsOrFails) {
  for (const char* value : {"", "0", "1"}) {
    const Required required(value);
    bool went_on = false;
    ::testing::TestPartResultArray results;
    {
      const ::testing::ScopedFakeTestPartResultReporter reporter(&results);
      needs("the abacus is missing", went_on);
    }
    ASSERT_EQ(results.size(), 1) << value;
    EXPECT_FALSE(went_on);
    EXPECT_EQ(results.GetTestPartResult(0).fatally_failed(), std::string(value) == "1") << value;
    EXPECT_EQ(results.GetTestPartResult(0).skipped(), std::string(value) != "1") << value;
  }
}

TEST(NeededPackage, ThatIsThereChangesNothing) {
  const Required required("1");
  bool went_on = false;
  needs("", went_on);
  EXPECT_TRUE(went_on);
}

}  // namespace
}  // namespace aisp::packages
