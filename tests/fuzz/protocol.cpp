// SPDX-License-Identifier: Apache-2.0
// A line from the other side of the worker protocol is either a message, and then survives the round trip, or
// refused.
#include "aisp/harness/protocol.h"
#include "tests/fuzz/bytes.h"

namespace {

template <class Message>
void round_trip(const aisp::Result<Message>& message, aisp::Result<Message> (*decode)(std::string_view)) {
  if (!message) {
    aisp::fuzz::claim(!message.error().message.empty());
    return;
  }
  const std::string line = encode(*message);
  aisp::fuzz::claim(line.find('\n') == std::string::npos);
  const aisp::Result<Message> again = decode(line);
  aisp::fuzz::claim(static_cast<bool>(again));
  aisp::fuzz::claim(encode(*again) == line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line = aisp::fuzz::text_of(data, size);
  round_trip(aisp::harness::decode_request(line), aisp::harness::decode_request);
  round_trip(aisp::harness::decode_reply(line), aisp::harness::decode_reply);
  return 0;
}
