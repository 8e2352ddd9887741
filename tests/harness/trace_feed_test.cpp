// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/trace_feed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace aisp::harness {
namespace {

class TraceFeedTest : public testing::Test {
 protected:
  static constexpr std::int64_t kRequests = 4, kWidth = 2;

  /// The feed reads the arrivals when it is made.
  TimedTraceFeed& start() {
    feed.emplace(std::span(inputs).first(2), TensorView{reinterpret_cast<std::byte*>(answers.data()),
                                                        DType::i32, answer_shape, kRequests * kWidth});
    feed->start();
    return *feed;
  }

  void answer(std::int64_t id, std::int32_t value) {
    const std::array<std::int32_t, kWidth> row{value, value + 1};
    feed->answer(id, std::as_bytes(std::span(row)));
  }
  /// Takes all requests; they are due at once.
  void take_all() {
    for (std::int64_t i = 0; i < kRequests; ++i) ASSERT_TRUE(feed->try_next());
  }

  std::array<std::int64_t, kRequests> arrivals{0, 0, 0, 0};
  std::array<std::int32_t, kRequests * kWidth> answers{};
  std::array<std::int64_t, 1> arrival_shape{kRequests};
  std::array<std::int64_t, 2> answer_shape{kRequests, kWidth};
  std::array<float, kRequests> requests{1, 2, 3, 4};
  std::array<float, 3> weights{5, 6, 7};  // neither a row for each request nor declared as shared
  std::array<std::int64_t, 1> weight_shape{3};
  std::array<TensorView, 3> inputs{
      {{reinterpret_cast<std::byte*>(arrivals.data()), DType::i64, arrival_shape, kRequests},
       {reinterpret_cast<std::byte*>(requests.data()), DType::f32, arrival_shape, kRequests},
       {reinterpret_cast<std::byte*>(weights.data()), DType::f32, weight_shape, 3}}};
  std::optional<TimedTraceFeed> feed;
};

TEST_F(TraceFeedTest, GoodputIsTheShareOfAllRequestsAnsweredInTime) {
  start();
  take_all();
  answer(0, 1);
  answer(1, 1);
  answer(2, 1);  // the fourth is never answered
  feed->finish();
  EXPECT_DOUBLE_EQ(feed->goodput(HUGE_VAL), 0.75);
  const std::vector<double> latencies = feed->latencies();
  EXPECT_DOUBLE_EQ(feed->goodput(std::ranges::max(latencies)), 0.75);
  EXPECT_DOUBLE_EQ(feed->goodput(std::ranges::min(latencies) / 2), 0);
}

TEST_F(TraceFeedTest, RequestsComeInOrderAndAnswersGoToTheirRow) {
  start();
  for (std::int64_t i = 0; i < kRequests; ++i) {
    EXPECT_TRUE(feed->open());
    EXPECT_EQ(feed->try_next()->id, i);
  }
  EXPECT_FALSE(feed->open());
  EXPECT_FALSE(feed->try_next());
  for (const std::int64_t id : {2, 0, 3, 1}) answer(id, static_cast<std::int32_t>(10 * id));
  feed->finish();
  EXPECT_EQ(answers, (std::array<std::int32_t, 8>{0, 1, 10, 11, 20, 21, 30, 31}));
  EXPECT_EQ(feed->unanswered(), 0u);
  EXPECT_EQ(feed->improper(), 0u);
  EXPECT_EQ(feed->latencies().size(), 4u);
  for (const double latency : feed->latencies()) EXPECT_GT(latency, 0);
  EXPECT_GE(feed->makespan_ns(), feed->latencies()[0]);
}

TEST_F(TraceFeedTest, ARequestThatIsNotDueIsNotHandedOut) {
  arrivals[1] = 3'600'000'000'000;  // in an hour
  start();
  EXPECT_TRUE(feed->try_next());
  EXPECT_FALSE(feed->try_next());
  EXPECT_TRUE(feed->open()) << "requests are still to come";
}

TEST_F(TraceFeedTest, RequestsWithoutAnAnswerAreCounted) {
  start();
  take_all();
  answer(0, 1);
  answer(3, 1);
  EXPECT_EQ(feed->unanswered(), 2u);
  EXPECT_EQ(feed->latencies().size(), 2u);
}

TEST_F(TraceFeedTest, AnsweringTwiceIsImproperAndChangesNothing) {
  start();
  take_all();
  answer(0, 5);
  answer(0, 7);
  feed->finish();
  EXPECT_EQ(feed->improper(), 1u);
  EXPECT_EQ(answers[0], 5);
}

TEST_F(TraceFeedTest, AnsweringAheadOfTheRequestIsImproper) {
  start();
  ASSERT_TRUE(feed->try_next());
  answer(1, 5);
  feed->finish();
  EXPECT_EQ(feed->improper(), 1u);
  EXPECT_EQ(answers[2], 0);
}

TEST_F(TraceFeedTest, IdsOutsideAreImproperAndWriteNowhere) {
  start();
  take_all();
  for (const std::int64_t id : {std::int64_t{-1}, kRequests, std::int64_t{1} << 60}) answer(id, 5);
  feed->finish();
  EXPECT_EQ(feed->improper(), 3u);
  EXPECT_EQ(answers, (std::array<std::int32_t, 8>{}));
}

TEST_F(TraceFeedTest, RowsOfTheWrongLengthAreImproper) {
  start();
  take_all();
  const std::array<std::int32_t, 3> longer{1, 2, 3};
  feed->answer(0, std::as_bytes(std::span(longer)));
  feed->answer(0, std::as_bytes(std::span(longer).first(1)));
  feed->answer(0, {});
  feed->finish();
  EXPECT_EQ(feed->improper(), 3u);
  EXPECT_EQ(feed->unanswered(), 4u);
  EXPECT_EQ(answers, (std::array<std::int32_t, 8>{}));
}

TEST_F(TraceFeedTest, ARequestCannotBeReadBeforeItIsHandedOut) {
  arrivals[2] = arrivals[3] = 3'600'000'000'000;
  start();
  EXPECT_EQ(requests, (std::array<float, 4>{}));
  EXPECT_EQ(arrivals, (std::array<std::int64_t, 4>{}));
  feed->try_next();
  EXPECT_EQ(requests, (std::array<float, 4>{1}));
  feed->try_next();
  EXPECT_EQ(requests, (std::array<float, 4>{1, 2}));
}

TEST_F(TraceFeedTest, AnInputWithoutARowForEachRequestIsNoRequest) {
  EXPECT_DEATH(TimedTraceFeed(inputs, {reinterpret_cast<std::byte*>(answers.data()), DType::i32, answer_shape,
                                       kRequests * kWidth}),
               "shared_input");
}

TEST_F(TraceFeedTest, InputsAreWholeAfterwardsButForWhatTheVariantChanged) {
  arrivals[2] = arrivals[3] = 3'600'000'000'000;
  start();
  feed->try_next();
  feed->try_next();
  requests[0] = 9;
  feed->finish();
  EXPECT_EQ(requests, (std::array<float, 4>{9, 2, 3, 4}));
  EXPECT_EQ(arrivals[3], 3'600'000'000'000);
}

TEST_F(TraceFeedTest, OnlyAnswersThatWereGivenCount) {
  answers.fill(-7);  // poison
  start();
  take_all();
  answer(1, 5);
  answers.fill(42);  // written past the harness
  feed->finish();
  EXPECT_EQ(answers, (std::array<std::int32_t, 8>{-7, -7, 5, 6, -7, -7, -7, -7}));
}

}  // namespace
}  // namespace aisp::harness
