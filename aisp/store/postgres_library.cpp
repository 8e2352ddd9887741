// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_library.h"

#include <dlfcn.h>

namespace aisp::store {
namespace {

Failure missing(const std::string& why) {
  return {{ErrorCode::environment, "a store on a PostgreSQL server needs libpq: " + why,
           "install it (libpq5 on Debian and Ubuntu), or choose a file with --store or AISP_STORE"}};
}

PostgresLibrary load() {
  // Never closed: it may have handed out connections that outlive whoever asks.
  void* library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    throw missing(why != nullptr ? why : "libpq.so.5 was not found");
  }
  PostgresLibrary pq{};
  const auto find = [&]<class F>(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (function == nullptr) throw missing(std::string("libpq.so.5 has no ") + name);
  };
  find(pq.connect, "PQconnectdbParams");
  find(pq.finish, "PQfinish");
  find(pq.reset, "PQreset");
  find(pq.status, "PQstatus");
  find(pq.transaction_status, "PQtransactionStatus");
  find(pq.error_message, "PQerrorMessage");
  find(pq.set_notice_processor, "PQsetNoticeProcessor");
  find(pq.exec, "PQexec");
  find(pq.exec_params, "PQexecParams");
  find(pq.result_status, "PQresultStatus");
  find(pq.result_error_field, "PQresultErrorField");
  find(pq.row_count, "PQntuples");
  find(pq.value, "PQgetvalue");
  find(pq.is_null, "PQgetisnull");
  find(pq.length, "PQgetlength");
  find(pq.type, "PQftype");
  find(pq.clear, "PQclear");
  return pq;
}

}  // namespace

const PostgresLibrary& postgres_library() {
  static const PostgresLibrary library = load();  // tried again after a failure
  return library;
}

}  // namespace aisp::store
