// SPDX-License-Identifier: Apache-2.0
/// \file
/// A PostgreSQL server for tests: of one's own, in a temporary directory, as an ordinary user, reached
/// through a Unix socket in that directory and nothing else. Started when it is first asked for, ended with
/// the process.
///
///   PostgresServer* server = PostgresServer::shared();   // nullptr: it is not installed
///   Store store = open_store(server->new_store());
///
/// Nothing of a server that the machine may run already is touched.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace aisp::store::test {

class PostgresServer {
 public:
  /// One for each process that asks; nullptr where the package `postgresql` is missing.
  static PostgresServer* shared();
  static constexpr const char* kMissing = "PostgreSQL's server is not installed (package postgresql)";
  /// kMissing, or nothing where there is one.
  static std::string missing() { return shared() == nullptr ? kMissing : ""; }

  /// The URL of an empty place: a schema of its own.
  std::string new_store();
  /// As this user, who needs a password where the name is "guarded". `more` begins with "&".
  std::string url(const std::string& user, const std::string& more = "") const;
  /// As the owner of everything.
  std::string url() const { return url("aisp"); }
  /// Statements with the rights of the owner.
  void sql(const std::string& statements) const;

  void stop();
  void start();

  explicit PostgresServer(const std::filesystem::path& programs);
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

 private:
  void become_ordinary() const;
  int run(const std::string& program, const std::string& arguments) const;

  std::filesystem::path programs_, directory_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t owner_ = 0;    ///< the process that started it; its children leave it alone
  pid_t process_ = 0;  ///< 0 = not running
  int stores_ = 0;
};

}  // namespace aisp::store::test
