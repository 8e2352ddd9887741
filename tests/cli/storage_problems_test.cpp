// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/storage_problems.h"

#include <gtest/gtest.h>

namespace aisp::cli {
namespace {

const Error journalled{ErrorCode::io, "cell_started is not in the store", "it is kept in the journal"};
const Error gone{ErrorCode::io, "cell_finished is not in the store", "it could not be kept either"};

TEST(StorageProblems, ThereAreNoneAtFirst) { EXPECT_FALSE(StorageProblems().worst()); }

TEST(StorageProblems, WhatIsLostIsNotHiddenByWhatWasJournalled) {
  StorageProblems problems;
  problems.add(journalled, false);
  EXPECT_EQ(problems.worst()->message, journalled.message);
  problems.add(gone, true);
  EXPECT_EQ(problems.worst()->message, gone.message);
  problems.add(journalled, false);
  EXPECT_EQ(problems.worst()->message, gone.message);
}

TEST(StorageProblems, OfSeveralLossesTheFirstIsTold) {
  StorageProblems problems;
  problems.add(gone, true);
  problems.add({ErrorCode::io, "run_finished is not in the store", ""}, true);
  EXPECT_EQ(problems.worst()->message, gone.message);
}

}  // namespace
}  // namespace aisp::cli
