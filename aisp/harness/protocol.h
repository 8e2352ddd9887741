// SPDX-License-Identifier: Apache-2.0
/// \file
/// The messages between the coordinator and a worker. The same messages serve both worker modes: in `shared`
/// mode the worker runs the variant itself; in `split` mode it is a referee that runs the variant in a third
/// process. No message carries a verdict: workers report samples and evidence, the coordinator derives
/// everything else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/core/fields.h"
#include "aisp/core/record.h"
#include "aisp/harness/catalogue.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/gpu_audit.h"
#include "aisp/harness/memory_attempt.h"
#include "aisp/harness/rank_protocol.h"
#include "aisp/harness/sampler.h"
#include "aisp/harness/verify.h"

namespace aisp::harness {

inline constexpr int kProtocolVersion = 1;

/// Said by a worker to which every limit of containment.h applies.
inline constexpr std::string_view kContained = "whole";

/// Coordinator to worker.
struct WorkerRequest {
  int version = kProtocolVersion;
  std::string op;                     ///< "describe", "size", "open", "rounds", "close", "memory", "verify",
                                      ///< "audit", "counters", "energy", "device", "libraries", "ceilings",
                                      ///< "release"
  CellSpec cell;                      ///< size, open, memory, verify; of the last two its device
  int first_round = 0, count = 0;     ///< rounds; release: the round
  std::optional<RankPlace> place;     ///< open, of collective work
  std::vector<std::string> left_out;  ///< audit, counters, energy: variants of the cell
  AISP_FIELDS(version, op, cell, first_round, count, place, left_out)
};

/// What a cell asks of the machine, known before anything is allocated.
struct CellSize {
  double needed_bytes = 0;  ///< of one worker: tensors, reference, the largest plan
  double work_bytes = 0, work_flops = 0;
  AISP_FIELDS(needed_bytes, work_bytes, work_flops)
};

/// Worker to coordinator. `event` says which of the other fields is filled.
struct WorkerReply {
  std::string event;    ///< "running", "catalogue", "sized", "opened", "round", "done", "closed", "memory",
                        ///< "verified", "device" (its name as the message), "libraries", "ceilings",
                        ///< "audited", "completed", "error", "threw"
  std::string variant;  ///< running, threw
  int code = 0;         ///< error: an ErrorCode
  std::string message, hint;
  std::vector<WorkloadInfo> catalogue;
  std::optional<CellSize> size;
  std::optional<Opened> opened;
  std::vector<Fact> libraries;  ///< opened: what this process has loaded, with build ids
  std::string containment;      ///< opened: kContained, or what is missing; empty: unknown
  std::optional<RoundReport> round;
  std::optional<Closing> closing;
  std::optional<MemoryReport> memory;
  std::optional<Verification> verification;
  std::optional<Ceilings> ceilings;
  std::optional<AuditReport> audit;
  std::optional<RankWindow> window;  ///< completed, of collective work
  std::vector<Fact> missing;         ///< libraries: those that were not found, and where they were looked for
  AISP_FIELDS(event, variant, code, message, hint, catalogue, size, opened, libraries, containment, round,
              closing, memory, verification, ceilings, audit, window, missing)
};

std::string encode(const WorkerRequest& request);
std::string encode(const WorkerReply& reply);
Result<WorkerRequest> decode_request(std::string_view line);
Result<WorkerReply> decode_reply(std::string_view line);

}  // namespace aisp::harness
