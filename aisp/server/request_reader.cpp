// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/request_reader.h"

#include <algorithm>
#include <cctype>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

namespace aisp::server {
namespace {

namespace http = boost::beast::http;

std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

Response refused(http::error error) {
  switch (error) {
    case http::error::header_limit:
      return refusal(431, "the header is too large", "send fewer or shorter fields");
    case http::error::bad_version:
      return refusal(505, "this server speaks HTTP/1.0 and HTTP/1.1");
    default:
      return refusal(400, "this is not an HTTP request: " + http::make_error_code(error).message());
  }
}

}  // namespace

/// Looks at every byte of a head once, as it arrives: a client that sends lone line feeds would otherwise
/// wait for an answer until its time is over.
std::optional<Response> RequestReader::scan() {
  for (; scanned_ < buffer_.size(); ++scanned_) {
    const auto c = static_cast<unsigned char>(buffer_[scanned_]);
    const char before = scanned_ > 0 ? buffer_[scanned_ - 1] : '\0';
    if (c == '\n' && before != '\r') return refusal(400, "a line ends without a carriage return");
    if (before == '\r' && c != '\n') return refusal(400, "a carriage return stands inside of a line");
    if (c == 0 || (c < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7f)
      return refusal(400, "the header has control characters");
    const bool line_begins = before == '\n' && scanned_ > 1;
    if (line_begins && (c == ' ' || c == '\t')) return refusal(400, "a header line is folded");
    if (c == '\n') in_first_line_ = false;
    if (in_first_line_ && scanned_ >= limits_.line)
      return refusal(414, "the request line is too long", "shorten the parameters");
    if (scanned_ >= limits_.head)
      return refusal(431, "the header is too large", "send fewer or shorter fields");
    if (c == '\n' && scanned_ >= 3 && buffer_.compare(scanned_ - 3, 4, "\r\n\r\n") == 0) {
      ++scanned_;
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Response> RequestReader::read_head(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\r'));
  if (std::ranges::count(line, ' ') != 2)
    return refusal(400, "a request line is a method, a target and a version");
  http::request_parser<http::empty_body> parser;
  parser.skip(true);  // the body is ours: a length and so many bytes
  parser.header_limit(static_cast<std::uint32_t>(limits_.head + 1));
  parser.body_limit(boost::none);
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(head.data(), head.size()), error);
  if (error) return refused(static_cast<http::error>(error.value()));
  if (!parser.is_header_done()) return refusal(400, "this is not an HTTP request");
  const auto& message = parser.get();
  if (message.version() != 10 && message.version() != 11) return refused(http::error::bad_version);
  Request request{.method = std::string(message.method_string()),
                  .target = std::string(message.target()),
                  .headers = {},
                  .keep_alive = message.keep_alive()};
  for (const auto& field : message)
    request.headers.emplace_back(
        lower(std::string_view(field.name_string().data(), field.name_string().size())),
        std::string(field.value()));
  if (request.headers.size() > limits_.fields)
    return refusal(431, "the header has too many fields", "send fewer");
  if (request.count("transfer-encoding") > 0)
    return refusal(400, "Transfer-Encoding is not understood here", "send a Content-Length");
  if (request.count("expect") > 0) return refusal(417, "Expect is not understood here", "leave it out");
  // "3, 3" is a length said twice too, which Beast takes for one.
  const std::string* said = request.header("content-length");
  if (request.count("content-length") > 1 || (said != nullptr && said->find(',') != std::string::npos))
    return refusal(400, "Content-Length is said twice");
  const auto length = parser.content_length();
  if (length && *length > limits_.body)
    return refusal(413, "the body is too large", "at most " + std::to_string(limits_.body) + " bytes");
  body_ = length ? static_cast<std::size_t>(*length) : 0;
  request_ = std::move(request);
  return std::nullopt;
}

std::optional<std::variant<Request, Response>> RequestReader::next() {
  if (!request_) {
    // One empty line before a request is what some clients leave behind the body of the last.
    if (!blank_taken_ && buffer_ == "\r") return std::nullopt;
    if (!blank_taken_ && !buffer_.empty()) {
      if (buffer_.starts_with("\r\n")) buffer_.erase(0, 2);
      blank_taken_ = true;
    }
    if (std::optional<Response> no = scan()) return *std::move(no);
    if (scanned_ < 4 || buffer_.compare(scanned_ - 4, 4, "\r\n\r\n") != 0) return std::nullopt;
    if (std::optional<Response> no = read_head(std::string_view(buffer_).substr(0, scanned_)))
      return *std::move(no);
    buffer_.erase(0, scanned_);
    scanned_ = 0;
    in_first_line_ = true;
    blank_taken_ = false;
  }
  if (buffer_.size() < body_) return std::nullopt;
  Request request = *std::move(request_);
  request_.reset();
  request.body = buffer_.substr(0, body_);
  buffer_.erase(0, body_);
  return request;
}

}  // namespace aisp::server
