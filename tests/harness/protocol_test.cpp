// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/protocol.h"

#include <gtest/gtest.h>

#include <cmath>

namespace aisp::harness {
namespace {

TEST(Protocol, RequestsComeBackAsTheyWere) {
  const WorkerRequest request{.op = "open",
                              .cell = {.workload = "ch07/transpose",
                                       .params = {{"n", 1024}, {"threads", 2}},
                                       .variants = {"naive", "tiled"},
                                       .cache = CacheMode::cold,
                                       .huge_pages = true,
                                       .scratch = "/tmp/x"},
                              .first_round = 7,
                              .count = 9};
  const std::string line = encode(request);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const Result<WorkerRequest> back = decode_request(line);
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), line);
  EXPECT_EQ(back->cell.params, request.cell.params);
  EXPECT_EQ(back->cell.cache, CacheMode::cold);
}

TEST(Protocol, RepliesComeBackAsTheyWere) {
  RoundReport round{.round = 3, .family = 1, .mirrored = 1, .discarded = "pages were swapped in"};
  round.slots.push_back(
      {.variant = "naive", .again = true, .ns = 123.456789012345, .calls = 4, .items = {1, 2.5}});
  const Result<WorkerReply> back = decode_reply(encode(WorkerReply{.event = "round", .round = round}));
  ASSERT_TRUE(back);
  ASSERT_TRUE(back->round);
  EXPECT_FALSE(back->opened);
  EXPECT_EQ(back->round->discarded, round.discarded);
  EXPECT_EQ(back->round->slots[0].ns, round.slots[0].ns) << "bit for bit";
  EXPECT_EQ(back->round->slots[0].items, round.slots[0].items);
  EXPECT_TRUE(back->round->slots[0].again);
}

TEST(Protocol, RanksAreToldTheirPlaceAndAnswerForThemselves) {
  const WorkerRequest request{.op = "open", .place = RankPlace{.rank = 3, .ranks = 8, .exchange = "shm:x"}};
  const Result<WorkerRequest> asked = decode_request(encode(request));
  ASSERT_TRUE(asked && asked->place);
  EXPECT_EQ(asked->place->rank, 3);
  EXPECT_EQ(asked->place->ranks, 8);
  EXPECT_EQ(asked->place->exchange, "shm:x");
  const RankWindow window{.rank = 3, .released_ns = 1.5, .completed_ns = 9.25, .message_bytes = {8, 4096}};
  const Result<WorkerReply> answered =
      decode_reply(encode(WorkerReply{.event = "completed", .window = window}));
  ASSERT_TRUE(answered && answered->window);
  EXPECT_EQ(answered->window->completed_ns, 9.25);
  EXPECT_EQ(answered->window->message_bytes, window.message_bytes);
  EXPECT_FALSE(decode_request("{\"version\":1,\"op\":\"open\",\"place\":{\"rank\":\"first\"}}"));
}

TEST(Protocol, OddNumbersAndTextSurvive) {
  Closing closing{.seed = "\x01\xff\"\\\n"};
  closing.variants.push_back({.name = "v"});
  closing.variants[0].evidence.answers.worst_error = HUGE_VAL;
  closing.variants[0].evidence.timing.clock_disagreement_ppm = std::nan("");
  const std::string line = encode(WorkerReply{.event = "closed", .closing = closing});
  EXPECT_EQ(line.find('\n'), std::string::npos) << "a message is one line whatever it holds";
  const Result<WorkerReply> back = decode_reply(line);
  ASSERT_TRUE(back);
  EXPECT_TRUE(std::isinf(back->closing->variants[0].evidence.answers.worst_error));
  EXPECT_TRUE(std::isnan(*back->closing->variants[0].evidence.timing.clock_disagreement_ppm));
}

TEST(Protocol, AnotherVersionIsRefusedWithAReason) {
  WorkerRequest request{.op = "describe"};
  request.version = kProtocolVersion + 1;
  const Result<WorkerRequest> back = decode_request(encode(request));
  ASSERT_FALSE(back);
  EXPECT_NE(back.error().message.find("protocol"), std::string::npos);
}

TEST(Protocol, HostileInputIsAnErrorAndNothingElse) {
  const std::string deep(100'000, '[');
  for (const std::string& line :
       {std::string(), std::string("null"), std::string("[]"), std::string("{"), std::string("\"x\""),
        std::string("{\"event\":5}"), std::string("{\"event\":\"round\",\"round\":[]}"),
        std::string("{\"event\":\"round\",\"round\":{\"slots\":{}}}"),
        std::string("{\"event\":\"round\",\"round\":{\"round\":1e300}}"),
        std::string("{\"event\":\"round\",\"round\":{\"round\":99999999999}}"),
        std::string("{\"event\":\"round\",\"round\":{\"slots\":[{\"ns\":\"fast\"}]}}"),
        std::string("{\"event\":\"opened\",\"opened\":{\"shape\":\"cube\"}}"),
        std::string("\xff\xfe\x00\x01", 4), std::string("{\"event\":\"done\"} trailing"), deep,
        "{\"a\":" + deep}) {
    EXPECT_FALSE(decode_reply(line)) << line.substr(0, 60);
  }
  EXPECT_FALSE(decode_request("{\"version\":1,\"op\":\"open\",\"cell\":{\"params\":[[\"n\"]]}}"));
  EXPECT_FALSE(decode_request("{\"version\":1,\"op\":\"rounds\",\"count\":\"many\"}"));
}

TEST(Protocol, UnknownFieldsOfALaterVersionAreIgnored) {
  EXPECT_TRUE(decode_reply(R"({"event":"done","temperature":{"cpu":70}})"));
}

}  // namespace
}  // namespace aisp::harness
