// SPDX-License-Identifier: Apache-2.0
/// \file
/// How many GPUs serve a model to a number of people in time: the smallest cluster over all sizes of the
/// group that holds one copy of the model.
///
///   Result<ClusterSize> c = cluster_size(model_and_traffic);
///   c->best().gpus;
///
/// A planning figure from a roofline: a decoding step takes as long as reading the weights and the past of
/// its requests, or computing them, whichever is longer; prompts are computed between steps and lengthen
/// them; a prompt waits as in a queue with one server. Attention's own flops, network hops beyond the group
/// and uneven traffic are not in it: measure before buying. docs/handbook/sizing.md has a worked example.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aisp/core/result.h"

namespace aisp::analysis {

struct ServingPlan {
  double parameters = 0;     ///< of the model
  double active = 0;         ///< of them used for a token; 0 = all (a dense model)
  double weight_bits = 16;   ///< of a parameter
  double kv_bytes = 0;       ///< of one token's keys and values, over all layers
  double prompt_tokens = 0;  ///< of a request
  double output_tokens = 0;  ///< of its answer
  double requests_per_second = 0;
  double first_token_s = 0;      ///< objective: from arrival to the first token
  double token_s = 0;            ///< objective: from one token to the next
  double memory_bytes = 0;       ///< of a GPU
  double bytes_per_second = 0;   ///< of its memory, measured
  double flops = 0;              ///< of a GPU in the type of the weights, measured
  double memory_share = 0.9;     ///< of the memory that weights and caches may take
  double bandwidth_share = 0.6;  ///< of bytes_per_second reached while decoding
  double flops_share = 0.4;      ///< of flops reached on prompts
  double doubling_share = 0.9;   ///< of the rate kept whenever a group is made twice as large
  double busy_share = 0.7;       ///< of the time that a group works: the rest takes up bursts
  int most_per_group = 8;        ///< GPUs joined closely enough to hold one copy of the model
};

/// One size of the group that holds a copy of the model.
struct GroupPlan {
  int gpus_per_group = 0;
  std::string why_not;                       ///< what it cannot hold or meet; empty = it can
  double weights_bytes = 0, room_bytes = 0;  ///< of the group
  double request_bytes = 0;                  ///< keys and values of a whole request
  double by_memory = 0;                      ///< requests at a time that fit
  double prompt_s = 0;                       ///< to compute a prompt
  double first_token_s = 0;                  ///< with the wait in the queue
  double requests = 0;                       ///< at a time, within memory and the objective
  double step_s = 0;                         ///< to decode one token of each
  double token_s = 0;                        ///< with the prompts in between
  double requests_per_second = 0;
  std::int64_t groups = 0, gpus = 0;
};

struct ClusterSize {
  std::vector<GroupPlan> tried;
  std::size_t chosen = 0;
  const GroupPlan& best() const { return tried[chosen]; }
};

/// An Error where an input makes no sense, or where no size of a group meets the objectives.
Result<ClusterSize> cluster_size(const ServingPlan& plan);

}  // namespace aisp::analysis
