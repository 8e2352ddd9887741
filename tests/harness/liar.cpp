// SPDX-License-Identifier: Apache-2.0
#include "liar.h"

#include "aisp/core/registry.h"
#include "aisp/harness/line_channel.h"
#include "aisp/harness/protocol.h"
#include "aisp/harness/seed.h"

namespace aisp::harness {

int run_lying_worker(int fd, const std::string& lie) {
  LineChannel channel(fd);
  std::unique_ptr<Sampler> sampler;
  const auto send = [&](const WorkerReply& reply) { channel.write_line(encode(reply)); };
  while (const auto line = channel.read_line()) {
    const Result<WorkerRequest> request = decode_request(*line);
    if (!request) return 1;
    if (request->op == "open") {
      const Workload* workload = Registry::instance().find(request->cell.workload);
      auto opened = Sampler::open(*workload, request->cell, [](const std::string&) {});
      if (!opened) return 1;
      sampler = *std::move(opened);
      send({.event = "opened", .opened = sampler->opened()});
    } else if (request->op == "rounds") {
      for (int i = 0; i < request->count; ++i) {
        send({.event = "round", .round = sampler->round(request->first_round + i)});
      }
      if (lie != "silent") send({.event = "done"});
    } else if (request->op == "close") {
      Closing closing = sampler->close();
      if (lie == "seed") closing.seed = Seed::draw().hex();
      send({.event = "closed", .closing = closing});
    } else {
      send({.event = "error", .code = static_cast<int>(ErrorCode::bad_input), .message = "not asked for"});
    }
  }
  return 0;
}

}  // namespace aisp::harness
