// SPDX-License-Identifier: Apache-2.0
// Continuous batching                                                      chapter 16, inference at scale
// The idea:          decide who is in the batch before every step, not once per batch.
// What bounds it:    a step reads the weights once, whoever is in it: 2 dim^2 bytes. At dim=1024 that is
//                    2 MB, more than a second-level cache holds, and a step for eight requests takes about
//                    twice as long as a step for one. A slot carried empty is a token paid for and not made.
// What to look for:  the metric `occupancy`, useful tokens per slot and step. Lengths uniform in 1..48
//                    average 24.5 while the longest of eight is near 43: static batches stay below 0.57.
#include <algorithm>
#include <array>
#include <cmath>

#include "aisp/aisp.h"
#include "workloads/ch16_inference/continuous_batching_model.h"

namespace aisp::continuous_batching {
namespace {

constexpr std::int64_t kMaxTokens = 48;
/// Fills an answer from its end to the end of its row: never a token, and different in every place, so that
/// an answer cannot be short or shifted unseen.
std::int32_t padding(std::int64_t t) { return static_cast<std::int32_t>(-1 - t); }
enum { kArrival, kPrompt, kLength, kWeights };
enum { kTokens };

// ---- The problem --------------------------------------------------------------------------------
// Requests arrive faster than they can be served, so what is compared is how fast the backlog drains.

/// Exponential gaps, as from many independent users.
void draw_poisson(const DrawContext&, Rng& rng, const TensorView& tensor) {
  double now = 0;
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    now += -30e3 * std::log(1.0 - rng.unit());
    tensor.set(i, now);
  }
}
/// A dozen at once, then silence, as after a retry storm.
void draw_bursts(const DrawContext&, Rng& rng, const TensorView& tensor) {
  double now = 0;
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    if (i % 12 == 0) now += 400e3 * rng.uniform(0.5, 1.5);
    tensor.set(i, now);
  }
}
/// Mostly short answers and a few long ones: one long request holds a static batch hostage.
void draw_heavy_tail(const DrawContext&, Rng& rng, const TensorView& tensor) {
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    const bool is_long = rng.below(4) == 0;
    tensor.set(i, static_cast<double>(is_long ? kMaxTokens - rng.below(8) : 2 + rng.below(7)));
  }
}

Problem problem(const Params& p) {
  const auto requests = p["requests"], dim = p["dim"];
  AISP_CHECK(dim <= kMaxDim, "beyond this dimension a row's sum could overflow");
  return {
      .tensors = {input<std::int64_t>("arrival", {requests},
                                      {drawn_by("poisson", draw_poisson), drawn_by("bursts", draw_bursts)}),
                  input<std::int32_t>("prompt", {requests}, {integers(0, kVocabulary - 1)}),
                  input<std::int32_t>("length", {requests},
                                      {integers(1, kMaxTokens), drawn_by("heavy_tail", draw_heavy_tail)}),
                  shared_input<std::int16_t>("weights", {dim, dim}, {integers(-127, 127)}),
                  output<std::int32_t>("tokens", {requests, kMaxTokens}, exact())},
      // Items only: what must be read at least is the weights once, and that bounds nothing here. How often
      // they are read is what the schedule decides.
      .work = {.items = static_cast<double>(requests)},
      .workspace_bytes = static_cast<std::size_t>(p["batch"] * (4 * dim + 8 * kMaxTokens))};
}

// ---- Reference: every request by itself, as the model is defined --------------------------------
void reference(const ReferenceCall& call) {
  const auto dim = call.params["dim"];
  const auto prompt = call.input<std::int32_t>(kPrompt), length = call.input<std::int32_t>(kLength);
  const auto weights = call.input<std::int16_t>(kWeights);
  std::vector<double>& tokens = call.outputs[kTokens].value;
  std::vector<std::int16_t> x(dim), hidden(dim);  // 13 and 12 bits: the narrow type only makes it quick
  for (std::int64_t id = 0; id < prompt.size; ++id) {
    std::int32_t token = prompt[id];
    std::ranges::fill(hidden, std::int16_t{0});
    for (std::int64_t t = 0; t < kMaxTokens; ++t) {
      tokens[id * kMaxTokens + t] = padding(t);
      if (t >= length[id]) continue;
      for (std::int64_t k = 0; k < dim; ++k) x[k] = static_cast<std::int16_t>(hidden[k] + embed(token, k));
      std::int64_t sum_of_hidden = 0;
      for (std::int64_t r = 0; r < dim; ++r) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < dim; ++k) sum += weights[r * dim + k] * x[k];
        sum_of_hidden += hidden[r] = activate(sum);
      }
      token = pick_token(sum_of_hidden);
      tokens[id * kMaxTokens + t] = token;
    }
  }
}

// ---- What both servers share: slots, each holding one request -----------------------------------
struct Slot {
  std::int64_t id = 0;
  std::int64_t wanted = 0;
  std::int64_t made = 0;
  std::array<std::int32_t, kMaxTokens> tokens;
  bool done() const { return made >= wanted; }
};

struct Server {
  Server(std::int64_t dim, std::int64_t batch) : model(dim, batch), slots(batch) {
    running.reserve(batch);
    idle.reserve(batch);
  }

  void admit(TraceCall& call, int slot, const Request& request) {
    slots[slot].id = request.id;
    slots[slot].wanted = call.input<std::int32_t>(kLength)[request.id];
    slots[slot].made = 0;
    for (std::int64_t t = 0; t < kMaxTokens; ++t) slots[slot].tokens[t] = padding(t);
    model.start(slot, call.input<std::int32_t>(kPrompt)[request.id]);
    running.push_back(slot);
  }
  void step(TraceCall& call) {
    model.step(call.input<std::int16_t>(kWeights).data, running);
    for (const int slot : running) {
      if (!slots[slot].done()) slots[slot].tokens[slots[slot].made++] = model.token(slot), ++useful;
    }
    ++steps;
  }
  void answer(TraceCall& call, int slot) { call.answer<std::int32_t>(slots[slot].id, slots[slot].tokens); }
  void report(TraceCall& call) {
    call.metric("occupancy", static_cast<double>(useful) / static_cast<double>(steps * slots.size()));
    call.metric("steps", static_cast<double>(steps));
    useful = steps = 0;
  }

  TinyModel model;
  std::vector<Slot> slots;
  std::vector<int> running;  ///< slots that take part in a step
  std::vector<int> idle;     ///< slots that may be given to the next request
  std::size_t useful = 0;
  std::size_t steps = 0;
};

std::shared_ptr<void> prepare(const Setup& setup) {
  return std::make_shared<Server>(setup.params["dim"], setup.params["batch"]);
}

// ---- Baseline: fill a batch, generate until its longest request is done -------------------------
// What calling a model library's generate(batch) in a loop does: requests that are done ride along as
// padding. It waits for a full batch; a server would stop waiting after a while, which makes no difference
// to a backlog.
void static_batches(TraceCall& call) {
  auto& server = call.plan<Server>();
  const int batch = static_cast<int>(server.slots.size());
  while (call.open()) {
    server.running.clear();
    while (call.open() && static_cast<int>(server.running.size()) < batch) {
      if (const auto request = call.try_next())
        server.admit(call, static_cast<int>(server.running.size()), *request);
    }
    const auto done = [&](int slot) { return server.slots[slot].done(); };
    while (!std::ranges::all_of(server.running, done)) server.step(call);
    for (const int slot : server.running) server.answer(call, slot);
  }
  server.report(call);
}

// ---- The idea -----------------------------------------------------------------------------------
// A step is the natural unit of scheduling: nothing ties a request to the others of its batch, since
// each has its own hidden state and only the weights are shared. So look at the queue before every step,
// let new requests take the slots of those that finished, and send each answer the moment it is
// complete. The weights are read as often per step as before; there are fewer steps, because no slot is
// carried empty while work is waiting. It stops paying when requests are of equal length, or when the
// server is idle enough that batches are never full.

// ---- Optimized: the same slots, refilled before every step --------------------------------------
void continuous(TraceCall& call) {
  auto& server = call.plan<Server>();
  server.idle.clear();
  for (int slot = static_cast<int>(server.slots.size()); slot-- > 0;) server.idle.push_back(slot);
  server.running.clear();
  while (call.open() || !server.running.empty()) {
    while (!server.idle.empty()) {
      const auto request = call.try_next();
      if (!request) break;
      server.admit(call, server.idle.back(), *request);
      server.idle.pop_back();
    }
    if (server.running.empty()) continue;
    server.step(call);
    std::erase_if(server.running, [&](int slot) {
      if (!server.slots[slot].done()) return false;
      server.answer(call, slot);
      server.idle.push_back(slot);
      return true;
    });
  }
  server.report(call);
}

const Registration registered{{
    .id = "ch16/continuous_batching",
    .title = "Continuous batching",
    .idea = "Decide who is in the batch before every step, not once per batch.",
    .shape = Shape::trace,
    .bound = Bound::memory,
    .goal = Goal::throughput,
    .tags = {"serving", "scheduler"},
    .axes = {{.name = "requests", .values = {64}, .small = 13},
             {.name = "dim", .values = {1024, 1536}, .quick = {1024}, .small = 65},
             {.name = "batch", .values = {8}, .small = 3}},
    .problem = problem,
    .reference = reference,  // exact: bounded integers, summed without overflow in any order
    .latency_objective_ns = 50e6,
    .variants = {{.name = "static",
                  .run = static_batches,
                  .note = "batches run until their longest request is done",
                  .prepare = prepare},
                 {.name = "continuous",
                  .run = continuous,
                  .note = "free slots are refilled before every step",
                  .prepare = prepare}},
}};

}  // namespace
}  // namespace aisp::continuous_batching
