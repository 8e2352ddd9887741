// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file layer for SQLite that fails, or kills the process, at the n-th write: full disks, I/O errors and
/// sudden deaths at every place where they can happen.
///
///   FaultVfs faults;                                   // the default layer until it goes out of scope
///   faults.arm(Fault::full, 3);                        // the third write from now, and all after it
///   ... faults.fired() ...
///
/// Only what goes through SQLite is seen; the journal writes by itself.
#pragma once

namespace aisp::store::test {

enum class Fault {
  none,
  full,   ///< the disk is full: writes and truncations fail
  write,  ///< EIO on writing
  sync,   ///< EIO on fsync
  kill,   ///< SIGKILL before the operation
  torn,   ///< half of the write reaches the file, then SIGKILL
};

class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  /// From the n-th operation of the fault's kind (1 = the next) until disarmed.
  void arm(Fault fault, int n);
  void disarm() { arm(Fault::none, 0); }
  bool fired() const;
};

}  // namespace aisp::store::test
