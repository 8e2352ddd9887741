// SPDX-License-Identifier: Apache-2.0
/// \file
/// One statement on a server: sent with its values when it is first stepped.
///
/// Answers of which many rows are expected come in parts, through a cursor of the server's.
#pragma once

#include <string>
#include <vector>

#include "aisp/store/postgres_connection.h"

namespace aisp::store {

class PostgresCursor final : public Cursor {
 public:
  PostgresCursor(PostgresConnection& connection, std::string_view sql, Rows rows);
  ~PostgresCursor() override;
  PostgresCursor(const PostgresCursor&) = delete;
  PostgresCursor& operator=(const PostgresCursor&) = delete;

  void bind(int index, std::string_view text) override;
  void bind(int index, std::int64_t number) override;
  void bind_real(int index, double number) override;
  void bind_null(int index) override;
  bool step() override;
  void reset() override;

  std::string_view text(int column) const override;
  std::int64_t integer(int column) const override;
  double real(int column) const override;
  bool is_null(int column) const override;
  bool is_text(int column) const override;

 private:
  PostgresValue& value(int index);
  void run();
  void fetch();

  PostgresConnection& connection_;
  std::string sql_;
  Rows rows_;
  std::vector<PostgresValue> values_;
  PostgresAnswer answer_;
  bool ran_ = false;
  int row_ = -1;
  std::string part_;  ///< name of the server's cursor; empty = the answer is whole
};

}  // namespace aisp::store
