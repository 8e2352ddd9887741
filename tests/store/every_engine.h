// SPDX-License-Identifier: Apache-2.0
/// \file
/// One suite for every engine: what a store promises does not depend on where it is.
///
///   class Prunes : public EveryEngine {};
///   TEST_P(Prunes, KeepsTheNewest) {
///     const Place place(GetParam());
///     Store store = open_store(place.file());
///   }
///   INSTANTIATE_TEST_SUITE_P(On, Prunes, kEveryEngine, engine_name);
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "aisp/store/connection.h"
#include "tests/needed_package.h"
#include "tests/store/fixture.h"
#include "tests/store/postgres_server.h"

namespace aisp::store::test {

/// Where a new store can be made; and a directory beside it, which a store on a server uses for its journal
/// alone.
class Place {
 public:
  explicit Place(Engine engine)
      : file_(engine == Engine::sqlite ? directory_.file()
                                       : std::filesystem::path(PostgresServer::shared()->new_store())) {}
  const std::filesystem::path& file() const { return file_; }
  const std::filesystem::path& path() const { return directory_.path(); }
  std::vector<std::string> names() const { return directory_.names(); }
  /// With a place for the journal, which a server has none of.
  OpenOptions options() const { return {.fallback = directory_.path() / "state"}; }

 private:
  TemporaryDirectory directory_;
  std::filesystem::path file_;
};

class EveryEngine : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    if (GetParam() == Engine::postgres) SKIP_WITHOUT_PACKAGE(PostgresServer::missing());
  }
  bool on_sqlite() const { return GetParam() == Engine::sqlite; }
  /// SQL behind the store's back, as each engine has it.
  std::string by_engine(const std::string& sqlite, const std::string& postgres) const {
    return on_sqlite() ? sqlite : postgres;
  }
};

inline const auto kEveryEngine = testing::Values(Engine::sqlite, Engine::postgres);

inline std::string engine_name(const testing::TestParamInfo<Engine>& info) {
  return info.param == Engine::sqlite ? "Sqlite" : "Postgres";
}

}  // namespace aisp::store::test
