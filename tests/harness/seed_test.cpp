// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/seed.h"

#include <gtest/gtest.h>

#include <set>

namespace aisp::harness {
namespace {

TEST(Seed, TwoDrawsDiffer) {
  const Seed first = Seed::draw(), second = Seed::draw();
  EXPECT_EQ(first.hex().size(), 64u);
  EXPECT_NE(first.hex(), second.hex());
  EXPECT_NE(first.commitment(), second.commitment());
}

TEST(Seed, TheCommitmentBindsAndDoesNotReveal) {
  const Seed seed = Seed::draw();
  EXPECT_EQ(Seed::from_hex(seed.hex()).commitment(), seed.commitment());
  EXPECT_NE(seed.commitment(), seed.hex());
  std::string other = seed.hex();
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_NE(Seed::from_hex(other).commitment(), seed.commitment());
}

TEST(Seed, EveryPurposeRoundSetAndTensorHasAStreamOfItsOwn) {
  const Seed seed = Seed::from_hex("00");
  std::set<std::uint64_t> streams;
  int count = 0;
  for (const char* purpose : {"input", "check", "poison", "order"}) {
    for (int round = 0; round < 20; ++round) {
      for (int set = 0; set < 5; ++set) {
        for (int tensor = 0; tensor < 3; ++tensor, ++count)
          streams.insert(seed.stream(purpose, round, set, tensor));
      }
    }
  }
  EXPECT_EQ(streams.size(), static_cast<std::size_t>(count));
  EXPECT_NE(seed.stream("input", 1, 11), seed.stream("input", 11, 1)) << "digits do not run together";
}

TEST(Seed, ARevealedSeedGivesTheSameStreamsAgain) {
  const Seed seed = Seed::draw();
  EXPECT_EQ(Seed::from_hex(seed.hex()).stream("input", 3, 1, 4), seed.stream("input", 3, 1, 4));
  EXPECT_NE(Seed::draw().stream("input", 3, 1, 4), seed.stream("input", 3, 1, 4));
}

/// Even of one and the same secret: what was searched with is nothing that is judged with.
TEST(Seed, DomainsHaveNoStreamInCommon) {
  const Seed judged = Seed::from_hex("00"), tuned = Seed::from_hex("00", "tune");
  std::set<std::uint64_t> streams;
  for (int round = 0; round < 100; ++round) {
    streams.insert(judged.stream("input", round, 1, 2));
    streams.insert(tuned.stream("input", round, 1, 2));
  }
  EXPECT_EQ(streams.size(), 200u);
  EXPECT_EQ(judged.stream("input", 3, 1, 4), Seed::from_hex("00", "").stream("input", 3, 1, 4));
}

}  // namespace
}  // namespace aisp::harness
