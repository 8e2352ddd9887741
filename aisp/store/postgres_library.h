// SPDX-License-Identifier: Apache-2.0
/// \file
/// PostgreSQL's client library, found when a store on a server is first opened: the program starts and works
/// without it, and needs nothing of it to be built.
///
///   const PostgresLibrary& pq = postgres_library();   // throws Failure: which package is missing
///   pq.finish(pq.connect(keywords, values, 1));
///
/// The functions are declared here as libpq documents them ("libpq - C Library"); its binary interface has
/// been the same since version 5.
#pragma once

#include <cstdint>

#include "aisp/store/failure.h"

namespace aisp::store {

struct PgConnection;
struct PgResult;

struct PostgresLibrary {
  PgConnection* (*connect)(const char* const* keywords, const char* const* values, int expand_dbname);
  void (*finish)(PgConnection*);
  void (*reset)(PgConnection*);
  int (*status)(const PgConnection*);
  int (*transaction_status)(const PgConnection*);
  char* (*error_message)(const PgConnection*);
  void* (*set_notice_processor)(PgConnection*, void (*)(void*, const char*), void*);
  PgResult* (*exec)(PgConnection*, const char* sql);
  PgResult* (*exec_params)(PgConnection*, const char* sql, int count, const std::uint32_t* types,
                           const char* const* values, const int* lengths, const int* formats,
                           int result_format);
  int (*result_status)(const PgResult*);
  char* (*result_error_field)(const PgResult*, int field);
  int (*row_count)(const PgResult*);
  char* (*value)(const PgResult*, int row, int column);
  int (*is_null)(const PgResult*, int row, int column);
  int (*length)(const PgResult*, int row, int column);
  std::uint32_t (*type)(const PgResult*, int column);
  void (*clear)(PgResult*);
};

/// Loaded once; throws Failure.
const PostgresLibrary& postgres_library();

// Values of libpq's enumerations and of its catalogue of types.
inline constexpr int kPgConnectionOk = 0;
inline constexpr int kPgIdle = 0, kPgInTransaction = 2, kPgInError = 3;
inline constexpr int kPgCommandOk = 1, kPgTuplesOk = 2;
inline constexpr int kPgSqlState = 'C', kPgMessage = 'M';
inline constexpr std::uint32_t kPgInferred = 0, kPgInt8 = 20, kPgText = 25, kPgFloat8 = 701;

}  // namespace aisp::store
