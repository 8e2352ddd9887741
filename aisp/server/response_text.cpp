// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/response_text.h"

#include "aisp/server/protective_headers.h"

namespace aisp::server {

std::string response_text(const Response& response, const Request& to, bool keep_alive) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " ";
  text += reason_of(response.status);
  text += "\r\nServer: aisp\r\n";
  const auto field = [&](const std::string& name, const std::string& value) {
    text += name + ": ";
    // What is quoted in a header must not begin another one.
    for (const char c : value) text += c == '\r' || c == '\n' ? ' ' : c;
    text += "\r\n";
  };
  if (response.status != 304) field("Content-Type", response.type);
  if (!response.events && response.status != 304)
    field("Content-Length", std::to_string(response.body.size()));
  for (const auto& [name, value] : response.headers) field(name, value);
  field("Connection", keep_alive ? "keep-alive" : "close");
  text += "\r\n";
  if (to.method != "HEAD") text += response.body;
  return text;
}

std::string early_refusal_text(Response refused) {
  add_protective_headers(refused);
  return response_text(refused, Request{}, false);
}

}  // namespace aisp::server
