// SPDX-License-Identifier: Apache-2.0
// JSON of any content is either a record, and then survives the round trip, or refused with a message.
#include "aisp/wire/json.h"
#include "tests/fuzz/bytes.h"

namespace {

template <class Record>
void import(const aisp::Json& json) {
  const aisp::Result<Record> record = aisp::from_json<Record>(json);
  if (!record) {
    aisp::fuzz::claim(!record.error().message.empty());
    return;
  }
  const std::string text = aisp::to_json(*record).dump();
  const aisp::Result<aisp::Json> parsed = aisp::parse_json(text);
  aisp::fuzz::claim(static_cast<bool>(parsed));
  const aisp::Result<Record> again = aisp::from_json<Record>(*parsed);
  aisp::fuzz::claim(static_cast<bool>(again));
  aisp::fuzz::claim(aisp::to_json(*again).dump() == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const aisp::Result<aisp::Json> json = aisp::parse_json(aisp::fuzz::text_of(data, size), 1 << 20, 64);
  if (!json) return 0;
  import <aisp::CellResult>(*json);
  import <aisp::RunRecord>(*json);
  import <aisp::RunConfig>(*json);
  return 0;
}
