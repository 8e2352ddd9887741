// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the store's tests share: a directory that goes away, runs and cells to store, raw SQL behind the
/// store's back, and children that may die.
///
///   TemporaryDirectory directory;
///   Store store = open_store(directory.file());
///   EXPECT_TRUE(store.run_started(example_run("r1")));
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/store/store.h"

namespace aisp::store::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file() const { return path_ / "results.db"; }
  /// Names of the files in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

RunRecord example_run(const std::string& id, const std::string& hardware = "box");
/// `samples` raw samples; everything follows from the number.
CellResult example_cell(int number, int samples = 20);

/// Canonical text, for comparing whole records.
std::string text_of(const RunRecord& run);
std::string text_of(const CellResult& cell);

/// Opens for writing; ends the test program with the error if that fails.
Store open_store(const std::filesystem::path& file, const OpenOptions& options = {});

/// A store with `runs` finished runs r0, r1, ... of three cells each; returns what loading them must give.
std::vector<std::string> fill_store(const std::filesystem::path& file, int runs, int samples = 20);

/// Raw SQL in the file or on the server, with the triggers out of the way if `tamper`; ends the program on an
/// error.
void sql(const std::filesystem::path& file, const std::string& statements, bool tamper = false);
std::string sql_text(const std::filesystem::path& file, const std::string& query);

/// Runs `work` in a forked child and returns the wait status. Exceptions and failed expectations end it
/// with 99.
int in_child(const std::function<int()>& work);
/// The same without the rights of root, which would write to anything.
int in_unprivileged_child(const std::function<int()>& work);
/// The status of a child that returned `code`.
bool returned(int status, int code);
bool killed(int status);

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, const std::string& bytes);

}  // namespace aisp::store::test
