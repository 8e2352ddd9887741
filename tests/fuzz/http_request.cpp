// SPDX-License-Identifier: Apache-2.0
// Bytes of any content from a client are requests that get a response, or are refused with one; and a
// response is what it says it is.
#include <algorithm>

#include "aisp/server/request_reader.h"
#include "aisp/server/response_text.h"
#include "aisp/server/service.h"
#include "aisp/wire/json.h"
#include "tests/fuzz/bytes.h"

namespace {

using namespace aisp::server;
using aisp::fuzz::claim;

constexpr std::string_view kToken = "0123456789abcdef";

/// What routes get has passed every check before them.
Response echo(const Asked& asked) {
  for (const auto& [name, values] : asked.values)
    claim(!values.empty() && (name == "by" || values.size() == 1));
  const std::string id = asked.path.contains("id") ? asked.path.at("id") : "";
  claim(id.find('\0') == std::string::npos && ("/" + id + "/").find("/../") == std::string::npos);
  return {.body = aisp::Json{{"id", id}, {"limit", asked.text("limit")}}.dump()};
}

Service& service() {
  static constexpr Embedded kFiles[] = {{"index.html", "<html>", "zipped"}, {"assets/a.js", "1", "zipped"}};
  static Service service(
      {.token = std::string(kToken),
       .routes = {{.method = "GET",
                   .path = "/api/v1/things/{id...}",
                   .summary = "for the fuzzer",
                   .parameters = {{.name = "limit"}, {.name = "by", .repeats = true}},
                   .answer = echo,
                   .kept = true},
                  {.method = "POST", .path = "/api/v1/things", .summary = "for the fuzzer", .answer = echo}},
       .files = kFiles});
  return service;
}

void check(const Response& response, const Request& request) {
  claim(response.status >= 200 && response.status < 600);
  claim(reason_of(response.status) != "Unknown");
  if (response.status >= 400) claim(aisp::parse_json(response.body).operator bool());
  const std::string text = response_text(response, request, true);
  const std::size_t end = text.find("\r\n\r\n");
  claim(end != std::string::npos);
  // One header, whatever was quoted in it.
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  claim(lines <= 6 + static_cast<std::ptrdiff_t>(response.headers.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // All at once and in two parts: where a packet ends must not matter.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RequestReader whole, parts;
  whole.put(bytes);
  const std::size_t half = size / 2;
  parts.put(bytes.substr(0, half));
  bool rest = false;
  for (int i = 0; i < 64; ++i) {
    auto read = whole.next();
    auto again = parts.next();
    if (!again && !rest) {
      parts.put(bytes.substr(half));
      rest = true;
      again = parts.next();
    }
    claim(read.has_value() == again.has_value());
    if (!read) break;
    claim(read->index() == again->index());
    const auto* request = std::get_if<Request>(&*read);
    if (request == nullptr) {
      check(std::get<Response>(*read), Request{});
      break;
    }
    claim(request->body == std::get<Request>(*again).body);
    const Response response = service().answer(*request);
    check(response, *request);
    // Nothing is changed by who does not know the token.
    const std::string* given = request->header("authorization");
    const bool knows = given != nullptr && given->ends_with(kToken);
    if (changes_something(request->method) && !knows) claim(response.status >= 400);
  }
  return 0;
}
