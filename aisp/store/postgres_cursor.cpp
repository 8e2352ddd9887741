// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_cursor.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace aisp::store {
namespace {

/// Rows of one part: a cell with all its samples takes up to some hundred kilobytes.
constexpr const char* kPart = "64";

/// ?1 becomes $1, outside of quotes.
std::string with_dollars(std::string_view sql) {
  std::string text(sql);
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (!quoted && text[i] == '?' && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0)
      text[i] = '$';
  }
  return text;
}

}  // namespace

PostgresCursor::PostgresCursor(PostgresConnection& connection, std::string_view sql, Rows rows)
    : connection_(connection), sql_(with_dollars(sql)), rows_(rows) {}

PostgresCursor::~PostgresCursor() {
  (void)attempt([&] { reset(); });
}

/// Values that are not bound stay NULL text: SQL that is put together may leave out some of its numbers.
PostgresValue& PostgresCursor::value(int index) {
  if (values_.size() < static_cast<std::size_t>(index)) values_.resize(static_cast<std::size_t>(index));
  return values_[static_cast<std::size_t>(index) - 1];
}

void PostgresCursor::bind(int index, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    throw Failure{{ErrorCode::store,
                   "store " + connection_.name() + ": PostgreSQL keeps no text with a NUL in it",
                   "this result can be kept in a file only (--store FILE)"}};
  }
  value(index) = {kPgText, std::string(text)};
}

void PostgresCursor::bind(int index, std::int64_t number) {
  value(index) = {kPgInt8, std::to_string(number)};
}

void PostgresCursor::bind_real(int index, double number) {
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  value(index) = {kPgFloat8, std::string(digits.data(), end)};
}

void PostgresCursor::bind_null(int index) { value(index) = {kPgInferred, std::nullopt}; }

void PostgresCursor::run() {
  ran_ = true;
  if (rows_ == Rows::many && connection_.in_transaction()) {
    part_ = "rows_" + std::to_string(connection_.next_number());
    (void)connection_.ask("DECLARE " + part_ + " NO SCROLL CURSOR FOR " + sql_, values_);
    fetch();
  } else {
    answer_ = connection_.ask(sql_, values_);
  }
}

void PostgresCursor::fetch() {
  answer_ = connection_.ask("FETCH FORWARD " + std::string(kPart) + " FROM " + part_, {});
  row_ = -1;
}

bool PostgresCursor::step() {
  if (!ran_) run();
  const PostgresLibrary& pq = postgres_library();
  ++row_;
  if (row_ >= pq.row_count(answer_.get()) && row_ > 0 && !part_.empty()) {
    fetch();
    ++row_;
  }
  return row_ < pq.row_count(answer_.get());
}

void PostgresCursor::reset() {
  const std::string part = std::exchange(part_, {});
  ran_ = false;
  row_ = -1;
  answer_ = PostgresAnswer();
  // With its transaction a cursor is gone already.
  if (!part.empty() && connection_.in_transaction()) connection_.execute(("CLOSE " + part).c_str());
}

bool PostgresCursor::is_null(int column) const {
  return postgres_library().is_null(answer_.get(), row_, column) != 0;
}

bool PostgresCursor::is_text(int column) const {
  return !is_null(column) && postgres_library().type(answer_.get(), column) == kPgText;
}

std::string_view PostgresCursor::text(int column) const {
  const PostgresLibrary& pq = postgres_library();
  return {pq.value(answer_.get(), row_, column),
          static_cast<std::size_t>(pq.length(answer_.get(), row_, column))};
}

std::int64_t PostgresCursor::integer(int column) const {
  return std::strtoll(postgres_library().value(answer_.get(), row_, column), nullptr, 10);
}

double PostgresCursor::real(int column) const {
  return std::strtod(postgres_library().value(answer_.get(), row_, column), nullptr);
}

}  // namespace aisp::store
