// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bytes to requests, one after the other, within limits. Boost.Beast parses; what it lets pass and no honest
/// client sends (folded lines, lone line feeds, Transfer-Encoding) is refused before or after it.
///
///   RequestReader reader;
///   reader.put(bytes);
///   while (auto read = reader.next()) ...   // a Request, or the Response that ends the connection
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "aisp/server/message.h"

namespace aisp::server {

struct Limits {
  std::size_t line = 8192;       ///< of the request
  std::size_t head = 32 * 1024;  ///< line and fields together
  std::size_t fields = 100;
  std::size_t body = 64 * 1024;  ///< the largest that any route takes is a list of flags
};

class RequestReader {
 public:
  explicit RequestReader(const Limits& limits = {}) : limits_(limits) {}

  void put(std::string_view bytes) { buffer_ += bytes; }
  /// Nothing: more bytes are needed. After a Response nothing that follows is to be understood.
  std::optional<std::variant<Request, Response>> next();
  /// Some of a request has come, and not all of it.
  bool begun() const { return !buffer_.empty(); }

 private:
  std::optional<Response> scan();
  std::optional<Response> read_head(std::string_view head);

  Limits limits_;
  std::string buffer_;
  std::size_t scanned_ = 0;  ///< of the buffer, while its head is not complete
  bool in_first_line_ = true, blank_taken_ = false;
  std::optional<Request> request_;  ///< whose body is awaited
  std::size_t body_ = 0;            ///< its length
};

}  // namespace aisp::server
