// SPDX-License-Identifier: Apache-2.0
#include "tests/store/fault_vfs.h"

#include <csignal>
#include <cstring>

#include <sqlite3.h>
#include <unistd.h>

namespace aisp::store::test {
namespace {

Fault armed = Fault::none;
int countdown = 0;
bool has_fired = false;
sqlite3_vfs* real = nullptr;
sqlite3_vfs shim;
sqlite3_io_methods methods;

/// Ours in front, SQLite's own file behind it.
struct File {
  sqlite3_file base;
  sqlite3_file* inner() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
sqlite3_file* inner(sqlite3_file* file) { return reinterpret_cast<File*>(file)->inner(); }
const sqlite3_io_methods* of(sqlite3_file* file) { return inner(file)->pMethods; }

bool strikes(bool concerned) {
  if (!concerned) return false;
  if (has_fired) return true;
  has_fired = --countdown <= 0;
  return has_fired;
}

void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  if (strikes(armed == Fault::full)) return SQLITE_FULL;
  if (strikes(armed == Fault::write)) return SQLITE_IOERR_WRITE;
  if (strikes(armed == Fault::kill)) die();
  if (strikes(armed == Fault::torn)) {
    of(file)->xWrite(inner(file), bytes, count / 2, offset);
    die();
  }
  return of(file)->xWrite(inner(file), bytes, count, offset);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (strikes(armed == Fault::full)) return SQLITE_FULL;
  if (strikes(armed == Fault::kill || armed == Fault::torn)) die();
  return of(file)->xTruncate(inner(file), size);
}

int sync(sqlite3_file* file, int flags) {
  if (strikes(armed == Fault::sync)) return SQLITE_IOERR_FSYNC;
  if (strikes(armed == Fault::kill || armed == Fault::torn)) die();
  return of(file)->xSync(inner(file), flags);
}

int close(sqlite3_file* file) {
  const int code = of(file)->xClose(inner(file));
  file->pMethods = nullptr;
  return code;
}

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  const int code = real->xOpen(real, name, inner(file), flags, out_flags);
  if (inner(file)->pMethods != nullptr) file->pMethods = &methods;
  return code;
}

void fill_methods() {
  methods.iVersion = 2;  // with shared memory, without memory-mapped pages
  methods.xClose = close;
  methods.xRead = [](sqlite3_file* f, void* to, int n, sqlite3_int64 at) {
    return of(f)->xRead(inner(f), to, n, at);
  };
  methods.xWrite = write;
  methods.xTruncate = truncate;
  methods.xSync = sync;
  methods.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) { return of(f)->xFileSize(inner(f), size); };
  methods.xLock = [](sqlite3_file* f, int level) { return of(f)->xLock(inner(f), level); };
  methods.xUnlock = [](sqlite3_file* f, int level) { return of(f)->xUnlock(inner(f), level); };
  methods.xCheckReservedLock = [](sqlite3_file* f, int* out) {
    return of(f)->xCheckReservedLock(inner(f), out);
  };
  methods.xFileControl = [](sqlite3_file* f, int op, void* a) {
    return of(f)->xFileControl(inner(f), op, a);
  };
  methods.xSectorSize = [](sqlite3_file* f) { return of(f)->xSectorSize(inner(f)); };
  methods.xDeviceCharacteristics = [](sqlite3_file* f) { return of(f)->xDeviceCharacteristics(inner(f)); };
  methods.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** to) {
    return of(f)->xShmMap(inner(f), page, size, extend, to);
  };
  methods.xShmLock = [](sqlite3_file* f, int at, int n, int flags) {
    return of(f)->xShmLock(inner(f), at, n, flags);
  };
  methods.xShmBarrier = [](sqlite3_file* f) { of(f)->xShmBarrier(inner(f)); };
  methods.xShmUnmap = [](sqlite3_file* f, int remove) { return of(f)->xShmUnmap(inner(f), remove); };
}

}  // namespace

FaultVfs::FaultVfs() {
  disarm();
  real = sqlite3_vfs_find(nullptr);
  fill_methods();
  // Everything but opening goes to the real layer as it is.
  shim = *real;
  shim.zName = "aisp-fault";
  shim.szOsFile = static_cast<int>(sizeof(File)) + real->szOsFile;
  shim.xOpen = open;
  shim.pNext = nullptr;
  sqlite3_vfs_register(&shim, 1);
}

FaultVfs::~FaultVfs() {
  disarm();
  sqlite3_vfs_unregister(&shim);
  sqlite3_vfs_register(real, 1);
}

void FaultVfs::arm(Fault fault, int n) {
  armed = fault;
  countdown = n;
  has_fired = false;
}

bool FaultVfs::fired() const { return has_fired; }

}  // namespace aisp::store::test
