// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/protocol.h"

#include "aisp/wire/json.h"

namespace aisp::harness {
namespace {

constexpr std::size_t kMaxMessage = std::size_t{64} << 20;

/// Drops empty fields: most messages carry one or two of them.
Json compact(const Json& full) {
  Json small = Json::object();
  for (const auto& [key, value] : full.items()) {
    if (value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty())) continue;
    if (value.is_array() && value.empty()) continue;
    small[key] = value;
  }
  return small;
}

template <class T>
Result<T> decode(std::string_view line) {
  Result<Json> json = parse_json(line, kMaxMessage, 32);
  if (!json) return json.error();
  return from_json<T>(*json);
}

}  // namespace

std::string encode(const WorkerRequest& request) { return to_json(request).dump(); }
std::string encode(const WorkerReply& reply) { return compact(to_json(reply)).dump(); }

Result<WorkerRequest> decode_request(std::string_view line) {
  Result<WorkerRequest> request = decode<WorkerRequest>(line);
  if (request && request->version != kProtocolVersion) {
    return Error{
        ErrorCode::bad_input,
        "worker protocol " + std::to_string(request->version) + " is not " + std::to_string(kProtocolVersion),
        "run coordinator and worker of one version"};
  }
  return request;
}

Result<WorkerReply> decode_reply(std::string_view line) { return decode<WorkerReply>(line); }

}  // namespace aisp::harness
