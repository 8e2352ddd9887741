// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lets the n-th allocation fail, once: of operator new, which this program replaces, or of SQLite, which has
/// an allocator of its own. Each n gets a process of its own, since some libraries end theirs.
///
///   const Sweep sweep = sweep_allocations(Memory::cpp, 1, [](long n) { return parse(text) ? kDone :
///   kRefused; }); EXPECT_EQ(sweep.wrong, "");
///
/// Not for memory that runs out and stays out: the allocations after the n-th succeed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace aisp::allocation {

enum class Memory {
  cpp,     ///< operator new: std::bad_alloc
  sqlite,  ///< SQLITE_NOMEM
};

/// SQLite takes its allocator before it is used for the first time.
void prepare_sqlite();

/// Counts from here: what the work of this try has done so far was preparation.
void start_here();
/// From here on the work of this try is the test's own: nothing fails any more.
void stop_failing();

/// How one try ended, by its own account.
enum Answer : int {
  kDone,     ///< all of it, and right
  kRefused,  ///< an error was returned
  kWrong,    ///< a value that must not be
};

struct Sweep {
  long failures = 0;       ///< tries in which an allocation failed; of these
  std::vector<long> done;  ///< came through all the same (and the last try, which met no failure)
  long refused = 0;        ///< returned an error
  long threw = 0;          ///< std::bad_alloc
  long aborted = 0;        ///< ended their process cleanly: std::terminate
  std::string wrong;       ///< everything else, with its n
};

/// Tries `work(n)` with a failure at n = 1, 1 + stride, ... until it comes through without meeting one. Where
/// AISP_EVERY_ALLOCATION is set, the stride is 1.
Sweep sweep_allocations(Memory memory, long stride, const std::function<int(long)>& work);

}  // namespace aisp::allocation
