// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/target.h"

#include <algorithm>
#include <optional>

#include "aisp/wire/json.h"

namespace aisp::server {
namespace {

Error bad(const std::string& message) {
  return {ErrorCode::bad_input, message, "paths and parameters are UTF-8, percent-encoded where needed"};
}

std::optional<int> hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// Decoded once: what is still a percent sign afterwards was meant as one.
Result<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const auto high = i + 2 < text.size() ? hex(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? hex(text[i + 2]) : std::nullopt;
      if (!high || !low) return bad("a percent sign is not followed by two hexadecimal digits");
      decoded += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(decoded, control)) return bad("a path or parameter has control characters");
  if (valid_utf8_bytes(decoded) != decoded.size()) return bad("a path or parameter is not UTF-8");
  return decoded;
}

/// "a//b" and "." are other names of a path that has one already; ".." climbs.
Status check_segment(const std::string& segment) {
  std::size_t at = 0;
  while (at <= segment.size()) {
    const std::size_t end = std::min(segment.find('/', at), segment.size());
    const std::string_view part = std::string_view(segment).substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return bad("the path has an empty part, '.' or '..'");
    at = end + 1;
  }
  if (segment.find('\\') != std::string::npos) return bad("the path has a backslash");
  return Ok{};
}

Status parse_path(std::string_view path, Target& target) {
  if (path == "/") return Ok{};
  if (path.ends_with('/') && !path.ends_with("//"))
    return Error{ErrorCode::bad_input, "the path ends with a '/'",
                 "leave it out: " + std::string(path.substr(0, path.size() - 1)) +
                     "; /api/v1/openapi.json lists what there is"};
  std::size_t at = 1;
  while (at <= path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    Result<std::string> segment = decode(path.substr(at, end - at), false);
    if (!segment) return segment.error();
    if (const Status fine = check_segment(*segment); !fine) return fine;
    target.segments.push_back(*std::move(segment));
    at = end + 1;
  }
  return Ok{};
}

Status parse_query(std::string_view query, Target& target) {
  std::size_t at = 0;
  while (at < query.size()) {
    const std::size_t end = std::min(query.find('&', at), query.size());
    const std::string_view pair = query.substr(at, end - at);
    at = end + 1;
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    Result<std::string> name = decode(pair.substr(0, equals), true);
    if (!name) return name.error();
    Result<std::string> value = decode(equals < pair.size() ? pair.substr(equals + 1) : "", true);
    if (!value) return value.error();
    target.query.emplace_back(*std::move(name), *std::move(value));
  }
  return Ok{};
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
  const auto unusual = [](unsigned char c) { return c <= 0x20 || c >= 0x7f; };
  if (text.empty() || text.front() != '/') return bad("the target of a request begins with /");
  if (std::ranges::any_of(text, unusual)) return bad("the target of a request is not plain ASCII");
  if (text.find('#') != std::string_view::npos) return bad("the target of a request has a fragment");
  const std::size_t question = std::min(text.find('?'), text.size());
  Target target;
  if (const Status path = parse_path(text.substr(0, question), target); !path) return path.error();
  if (question < text.size()) {
    if (const Status query = parse_query(text.substr(question + 1), target); !query) return query.error();
  }
  return target;
}

std::string path_of(const Target& target) {
  std::string path;
  for (const std::string& segment : target.segments) path += "/" + segment;
  return path.empty() ? "/" : path;
}

}  // namespace aisp::server
