// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/assets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace aisp::server {
namespace {

constexpr std::string_view kNotBuiltIn =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>aisp</title>"
    "<h1>aisp</h1><p>The dashboard was not built into this program. The data are at "
    "<a href=\"/api/v1/summary\">/api/v1/summary</a>; "
    "<a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a> lists what else there is.</p></html>\n";

const Embedded* find(std::span<const Embedded> files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &Embedded::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

std::string_view type_of(std::string_view path) {
  using Type = std::pair<std::string_view, std::string_view>;
  static constexpr std::array kTypes{Type{".html", "text/html; charset=utf-8"},
                                     Type{".js", "text/javascript; charset=utf-8"},
                                     Type{".css", "text/css; charset=utf-8"},
                                     Type{".json", "application/json"},
                                     Type{".map", "application/json"},
                                     Type{".webmanifest", "application/manifest+json"},
                                     Type{".svg", "image/svg+xml"},
                                     Type{".png", "image/png"},
                                     Type{".ico", "image/x-icon"},
                                     Type{".woff2", "font/woff2"},
                                     Type{".txt", "text/plain; charset=utf-8"}};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

bool accepts_gzip(std::string_view list) {
  std::size_t at = 0;
  while (at < list.size()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string item;
    for (const char c : list.substr(at, end - at))
      if (c != ' ' && c != '\t') item += c;
    at = end + 1;
    const std::string name = item.substr(0, item.find(';'));
    if (name != "gzip" && name != "*") continue;
    const std::size_t q = item.find(";q=0");
    // "q=0", "q=0.0" and the like decline.
    return q == std::string::npos || item.find_first_of("123456789", q + 3) != std::string::npos;
  }
  return false;
}

Response asset(std::span<const Embedded> files, const std::string& path, const Request& request) {
  const std::string name = path == "/" ? "index.html" : path.substr(1);
  const Embedded* file = find(files, name);
  const bool page = name.find('.', name.rfind('/') + 1) == std::string::npos || path == "/";
  if (file == nullptr && page) file = find(files, "index.html");
  if (file == nullptr && page) return {.type = "text/html; charset=utf-8", .body = std::string(kNotBuiltIn)};
  if (file == nullptr) return refusal(404, "there is no " + path, "/ is the dashboard");
  Response response{.type = std::string(type_of(file->path))};
  // Their names carry a hash of their content; the pages that name them are asked for every time.
  const bool hashed = file->path.starts_with("assets/");
  response.headers.emplace_back("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
  if (file->gzip.empty()) {
    response.body = file->bytes;
    return response;
  }
  response.headers.emplace_back("Vary", "Accept-Encoding");
  const std::string* accepted = request.header("accept-encoding");
  const bool packed = accepted != nullptr && accepts_gzip(*accepted);
  if (packed) response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = packed ? file->gzip : file->bytes;
  return response;
}

}  // namespace aisp::server
