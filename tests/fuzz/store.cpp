// SPDX-License-Identifier: Apache-2.0
// A store file of any content is opened and read, or refused with a message, and never changed by a reader. A
// writer takes it, recovers it or refuses it, and what it refuses stays as it is.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "aisp/store/store.h"
#include "tests/fuzz/bytes.h"

namespace {

/// A directory of this process; SQLite wants names beside the file, which a descriptor has not.
std::filesystem::path directory() {
  static const std::filesystem::path made = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "aisp-fuzz-store-XXXXXX").string();
    aisp::fuzz::claim(::mkdtemp(pattern.data()) != nullptr);
    static const std::string kept = pattern;
    std::atexit([] { std::filesystem::remove_all(kept); });
    return std::filesystem::path(kept);
  }();
  return made;
}

template <class T>
void has_message(const aisp::Result<T>& result) {
  if (!result) aisp::fuzz::claim(!result.error().message.empty());
}

/// Opening for writing may create, move aside and rename: all in a folder of its own.
void open_for_writing(std::string_view bytes) {
  const std::filesystem::path folder = directory() / "write";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::filesystem::path file = folder / "results.db";
  std::ofstream(file, std::ios::binary) << bytes;
  aisp::Result<aisp::store::Store> store = aisp::store::Store::open(file, aisp::store::Access::read_write);
  has_message(store);
  if (!store) return;
  aisp::RunRecord run;
  run.id = "fuzzed";
  has_message(store->run_started(run));
  has_message(store->load("latest"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = directory() / "results.db";
  const std::string_view bytes = aisp::fuzz::text_of(data, size);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  {
    aisp::Result<aisp::store::Store> store = aisp::store::Store::open(file, aisp::store::Access::read_only);
    has_message(store);
    if (store) {
      has_message(store->list());
      has_message(store->cells());
      has_message(store->load("latest"));
    }
  }
  std::ifstream after(file, std::ios::binary);
  aisp::fuzz::claim(std::string(std::istreambuf_iterator<char>(after), {}) == bytes);
  open_for_writing(bytes);
  return 0;
}
