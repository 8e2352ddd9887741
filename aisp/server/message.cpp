// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/message.h"

#include <algorithm>
#include <array>

#include "aisp/server/api_words.h"
#include "aisp/wire/json.h"

namespace aisp::server {

const std::string* Request::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &Fields::value_type::first);
  return found == headers.end() ? nullptr : &found->second;
}

std::size_t Request::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count(headers, name, &Fields::value_type::first));
}

Response refusal(int status, std::string_view error, std::string_view hint) {
  // Not as an object: the end of one needs memory, and where there is none it ends the process.
  const Json said(printable_utf8(error)), advised(printable_utf8(hint));
  return {.status = status, .body = "{\"error\":" + said.dump() + ",\"hint\":" + advised.dump() + "}\n"};
}

Response refusal(const Error& error) {
  const bool callers = error.code == ErrorCode::usage || error.code == ErrorCode::bad_input;
  const bool busy = error.code == ErrorCode::environment || error.code == ErrorCode::store;
  return refusal(callers ? 400 : busy ? 503 : 500, in_api_words(error.message), in_api_words(error.hint));
}

std::string_view reason_of(int status) {
  struct Known {
    int status;
    std::string_view reason;
  };
  static constexpr std::array kKnown{Known{200, "OK"},
                                     Known{202, "Accepted"},
                                     Known{304, "Not Modified"},
                                     Known{400, "Bad Request"},
                                     Known{401, "Unauthorized"},
                                     Known{403, "Forbidden"},
                                     Known{404, "Not Found"},
                                     Known{405, "Method Not Allowed"},
                                     Known{408, "Request Timeout"},
                                     Known{409, "Conflict"},
                                     Known{413, "Content Too Large"},
                                     Known{414, "URI Too Long"},
                                     Known{417, "Expectation Failed"},
                                     Known{421, "Misdirected Request"},
                                     Known{429, "Too Many Requests"},
                                     Known{431, "Request Header Fields Too Large"},
                                     Known{500, "Internal Server Error"},
                                     Known{501, "Not Implemented"},
                                     Known{503, "Service Unavailable"},
                                     Known{505, "HTTP Version Not Supported"}};
  const auto found = std::ranges::find(kKnown, status, &Known::status);
  return found == kKnown.end() ? "Unknown" : found->reason;
}

}  // namespace aisp::server
