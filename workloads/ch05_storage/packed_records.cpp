// SPDX-License-Identifier: Apache-2.0
// Packed records                                                              chapter 5, storage I/O
// The idea:          one open file and an index instead of one file per record.
// What bounds it:    system calls. A record of 2 KB is copied in about 0.1 us; opening, reading and closing
//                    its file is three calls, a walk along the path and a new descriptor: 3 to 8 us, so 1,000
//                    reads cost about 5 ms as files, 1 ms by pread and 0.6 ms from a mapping.
// What to look for:  `strace -c`: 3 calls per record, then 1, then 0. The files are in the page cache; on a
//                    cold disk small files also pay one inode and one seek each, and the gap widens.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "aisp/aisp.h"

namespace aisp::packed_records {
namespace {

enum { kLength, kContents };  // state
enum { kId };                 // inputs
enum { kRecord };             // outputs
/// Word k behind the end of a short record is kAbsent + k: no contents reach it, and no shift hides in it.
constexpr std::uint32_t kAbsent = 0x80000000;

// ---- The problem --------------------------------------------------------------------------------
// A data set of records of unequal length is stored once, then read in an order that nobody knew while
// storing it. Row i of the output holds record id[i], filled up with kAbsent + k.
Problem problem(const Params& p) {
  const auto records = p["records"], words = p["words"], reads = 2 * records;
  return {.tensors = {state<std::int32_t>("length", {records}, {integers(1, words), ties(1, words, 2)}),
                      state<std::uint32_t>("contents", {records, words}, {integers(0, kAbsent - 1)}),
                      input<std::int32_t>("id", {reads}, {integers(0, records - 1), skewed(records)}),
                      output<std::uint32_t>("record", {reads, words}, exact())},
          .work = {.bytes = 4.0 * static_cast<double>(reads *
                                                      words),  // written; what is read depends on the lengths
                   .items = static_cast<double>(reads)},
          .operations = reads};
}

// ---- Reference ----------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto words = call.params["words"];
  const auto length = call.state_of<std::int32_t>(kLength);
  const auto contents = call.state_of<std::uint32_t>(kContents);
  const auto id = call.input<std::int32_t>(kId);
  for (std::int64_t i = 0; i < id.size; ++i) {
    for (std::int64_t k = 0; k < words; ++k) {
      call.outputs[kRecord].value[i * words + k] =
          k < length[id[i]] ? contents[id[i] * words + k] : double{kAbsent} + k;
    }
  }
}

// ---- What the formats share: writing all of a buffer, and the shape of a read -------------------
void write_all(int file, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file, from, bytes);
    AISP_CHECK(written > 0, "the scratch directory does not take the records");
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

class Reader : public Session {
 public:
  explicit Reader(const Setup& setup) : directory_(setup.scratch_directory), words_(setup.params["words"]) {}
  void apply(const Call& call, std::int64_t first, std::int64_t count) final {
    const auto id = call.input<std::int32_t>(kId);
    for (std::int64_t i = first; i < first + count; ++i) {
      std::uint32_t* row = call.output<std::uint32_t>(kRecord).data + i * words_;
      for (std::int64_t k = read(id[i], row); k < words_; ++k)
        row[k] = kAbsent + static_cast<std::uint32_t>(k);
    }
  }

 protected:
  /// Reads one record to `row`, which has room for the longest, and returns its length in words.
  virtual std::int64_t read(std::int32_t id, std::uint32_t* row) = 0;

  std::string directory_;
  std::int64_t words_;
};

// ---- Baseline: one file per record --------------------------------------------------------------
// What most data sets look like when they are downloaded: a folder of samples, the name being the key.
class SmallFiles : public Reader {
 public:
  explicit SmallFiles(const Setup& setup) : Reader(setup) {}
  void load(const Call& call) override {
    const auto length = call.state<std::int32_t>(kLength);
    const auto contents = call.state<std::uint32_t>(kContents);
    for (std::int64_t id = 0; id < length.size; ++id) {
      paths_.push_back(directory_ + "/" + std::to_string(id) + ".record");
      const int file = ::open(paths_.back().c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
      AISP_CHECK(file >= 0, "the scratch directory takes no files");
      write_all(file, contents.data + id * words_, static_cast<std::size_t>(length[id]) * 4);
      ::close(file);
    }
  }

 private:
  std::int64_t read(std::int32_t id, std::uint32_t* row) override {
    const int file = ::open(paths_[id].c_str(), O_RDONLY | O_CLOEXEC);
    AISP_CHECK(file >= 0, "a record's file has gone");
    const ssize_t bytes = ::read(file, row, static_cast<std::size_t>(words_) * 4);
    ::close(file);
    AISP_CHECK(bytes > 0, "a record's file cannot be read");
    return bytes / 4;
  }

  std::vector<std::string> paths_;
};

// ---- The idea -----------------------------------------------------------------------------------
// A file system is a fine index for thousands of large things and a poor one for millions of small ones:
// each name is looked up, locked, checked for permission and opened anew. Append the records to one
// shard and remember where each begins; 8 bytes of index per record replace its inode. pread(offset)
// then needs no open, no seek and no close, and a mapping needs no call at all: a record is where the
// index says, and reading it is a copy. What is given up is changing or deleting one record in place.
// Beyond some 100 KB per record the copy is all that counts.

/// Writes records back to back; record i occupies words [index[i], index[i + 1]) of the shard.
std::vector<std::int64_t> write_shard(const Call& call, const std::string& path) {
  const auto length = call.state<std::int32_t>(kLength);
  const auto contents = call.state<std::uint32_t>(kContents);
  std::vector<std::int64_t> index{0};
  std::vector<std::uint32_t> packed;
  for (std::int64_t id = 0; id < length.size; ++id) {
    const std::uint32_t* record = contents.data + id * (contents.size / length.size);
    packed.insert(packed.end(), record, record + length[id]);
    index.push_back(static_cast<std::int64_t>(packed.size()));
  }
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  AISP_CHECK(file >= 0, "the scratch directory takes no files");
  write_all(file, packed.data(), packed.size() * 4);
  ::close(file);
  return index;
}

// ---- Optimized: one shard, one call per record --------------------------------------------------
class PackedPread : public Reader {
 public:
  explicit PackedPread(const Setup& setup) : Reader(setup) {}
  ~PackedPread() override {
    if (file_ >= 0) ::close(file_);
  }
  void load(const Call& call) override {
    index_ = write_shard(call, directory_ + "/shard");
    file_ = ::open((directory_ + "/shard").c_str(), O_RDONLY | O_CLOEXEC);
    AISP_CHECK(file_ >= 0, "the shard cannot be opened");
  }

 private:
  std::int64_t read(std::int32_t id, std::uint32_t* row) override {
    const std::int64_t length = index_[id + 1] - index_[id];
    const ssize_t bytes = ::pread(file_, row, static_cast<std::size_t>(length) * 4, index_[id] * 4);
    AISP_CHECK(bytes == length * 4, "the shard ends before its index does");
    return length;
  }

  std::vector<std::int64_t> index_;
  int file_ = -1;
};

// ---- Further: the shard mapped, no call per record ----------------------------------------------
class PackedMapped : public Reader {
 public:
  explicit PackedMapped(const Setup& setup) : Reader(setup) {}
  ~PackedMapped() override {
    if (shard_ != nullptr) ::munmap(shard_, bytes());
  }
  void load(const Call& call) override {
    index_ = write_shard(call, directory_ + "/shard");
    const int file = ::open((directory_ + "/shard").c_str(), O_RDONLY | O_CLOEXEC);
    AISP_CHECK(file >= 0, "the shard cannot be opened");
    // MAP_POPULATE enters all pages now, so that no read pays a fault.
    void* mapped = ::mmap(nullptr, bytes(), PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    ::close(file);
    AISP_CHECK(mapped != MAP_FAILED, "the shard cannot be mapped");
    shard_ = static_cast<std::uint32_t*>(mapped);
  }

 private:
  std::int64_t read(std::int32_t id, std::uint32_t* row) override {
    std::copy(shard_ + index_[id], shard_ + index_[id + 1], row);
    return index_[id + 1] - index_[id];
  }
  std::size_t bytes() const { return static_cast<std::size_t>(index_.back()) * 4; }

  std::vector<std::int64_t> index_;
  std::uint32_t* shard_ = nullptr;
};

template <class Format>
std::unique_ptr<Session> open_session(const Setup& setup) {
  return std::make_unique<Format>(setup);
}

const Registration registered{{
    .id = "ch05/packed_records",
    .title = "Packed records",
    .idea = "One open file and an index instead of one file per record.",
    .shape = Shape::stateful,
    .bound = Bound::io,
    .tags = {"files", "data loading"},
    .axes = {{.name = "records", .values = {500, 2000}, .quick = {500}, .small = 37},
             {.name = "words", .values = {128, 1024}, .quick = {1024}, .small = 19}},
    .problem = problem,
    .reference = reference,  // exact: bytes are moved, nothing is computed
    .variants = {{.name = "small_files",
                  .run = open_session<SmallFiles>,
                  .note = "open, read, close per record"},
                 {.name = "packed_pread",
                  .run = open_session<PackedPread>,
                  .note = "one shard, one pread per record"},
                 {.name = "packed_mmap",
                  .run = open_session<PackedMapped>,
                  .note = "the shard mapped: a copy per record"}},
}};

}  // namespace
}  // namespace aisp::packed_records
