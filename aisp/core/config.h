// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything the user may choose about a run, frozen and hashed once before anything is measured.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/verdict.h"

namespace aisp {

enum class CacheMode : std::uint8_t {
  hot,     ///< inputs were touched just before the call
  cold,    ///< the last-level cache holds clean lines of something else
  steady,  ///< back-to-back calls over rotating buffers larger than the last-level cache
};
std::string_view name_of(CacheMode mode);

/// How a worker isolates the variant from the harness.
enum class WorkerMode : std::uint8_t { shared, split };
std::string_view name_of(WorkerMode mode);

struct RunConfig {
  std::vector<std::string> targets;     ///< as resolved: "ch07/transpose"
  std::vector<std::string> parameters;  ///< "n=1024,2048": restricts or replaces an axis
  std::vector<std::string> plugins;
  std::vector<std::string> builds;    ///< two programs or plugins measured against each other; else empty
  std::vector<std::string> variants;  ///< empty: all
  std::string device = "cpu";
  std::string suite = "full";  ///< "quick" takes each axis's quick values
  CacheMode cache = CacheMode::hot;
  WorkerMode worker = WorkerMode::shared;
  Policy policy = Policy::standard;
  std::vector<std::string> waivers;  ///< guard ids whose rejection the user accepts
  int attempts = 3;
  std::vector<int> looks = {24, 48, 96, 192,
                            384};  ///< rounds, over all attempts, at which the data are looked at
  double alpha = 0.05;
  double equivalence = 0.02;      ///< region of practical equivalence
  double precision = 0.01;        ///< half-width of the ratio's interval at which sampling stops
  double cell_seconds = 10;       ///< cap per cell
  double budget_seconds = 0;      ///< cap for the whole run; 0 = none
  double timeout_seconds = 60;    ///< a worker silent for longer is ended
  double memory_limit_bytes = 0;  ///< of a worker; 0 = nine tenths of what is free
  bool huge_pages = true;         ///< for tensors of 4 MiB and more
  bool pin = true;
  bool graph = false;  ///< on a GPU: time each call as one graph
  bool audit = true;   ///< on a GPU: have what it did recorded, by workers of their own
  bool energy = true;  ///< with the audit: what a call takes, a second and more for each variant
  /// Configurations that are measured too, each at one size: "ch07/transpose n=2048", "tiled@tile=32".
  std::vector<std::pair<std::string, std::string>> tuned;
  AISP_FIELDS(targets, parameters, plugins, builds, variants, device, suite, cache, worker, policy, waivers,
              attempts, looks, alpha, equivalence, precision, cell_seconds, budget_seconds, timeout_seconds,
              memory_limit_bytes, huge_pages, pin, graph, audit, energy, tuned)
};

}  // namespace aisp
