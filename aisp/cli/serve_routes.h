// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp serve` answers. Routes are declared in a file for each subject; most send the document that a
/// command prints, built by the command's own function.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/run_beginnings.h"
#include "aisp/cli/serve_store.h"
#include "aisp/harness/catalogue.h"
#include "aisp/server/job.h"
#include "aisp/server/route.h"

namespace aisp::cli {

/// What the routes answer from. Outlives them.
struct Served {
  explicit Served(const Arguments& given);

  Arguments arguments;  ///< of `aisp serve`: the store, and where settings come from
  ServedStore store;
  RunBeginnings beginnings;
  std::vector<harness::WorkloadInfo> catalogue;
  server::JobControl* jobs = nullptr;  ///< nullptr: no run can be started
};

using Routes = std::vector<server::Route>;

Routes all_routes(Served& served);
void add_catalogue_routes(Served& served, Routes& routes);
void add_run_routes(Served& served, Routes& routes);
void add_question_routes(Served& served, Routes& routes);
void add_history_routes(Served& served, Routes& routes);
void add_machine_routes(Served& served, Routes& routes);
void add_summary_routes(Served& served, Routes& routes);
void add_job_routes(Served& served, Routes& routes);

/// A flag of a command as a parameter of its route.
server::Parameter parameter_of(const Flag& flag);
/// What was asked for, or its default: a number of the route's own, checked as flags are.
Result<std::size_t> asked_count(const server::Asked& asked, const Flag& flag);
/// No list that grows with the store is longer than this.
inline constexpr double kLongestList = 1000;
/// "workload", for commands whose arguments are workloads; may be repeated.
server::Parameter workload_parameter();

/// What the command would be called with: its settings as they were when the server began, then the
/// parameters of the request, checked as flags are.
class AskedAs {
 public:
  AskedAs(const Served& served, const Command& command);
  Result<Arguments> operator()(const server::Asked& asked) const;

 private:
  std::vector<Flag> flags_;
  Arguments settings_;
};

}  // namespace aisp::cli
