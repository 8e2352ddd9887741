// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/worker.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <optional>

#include "aisp/core/configuration.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/device/gpu/gpu.h"
#include "aisp/harness/containment.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/line_channel.h"
#include "aisp/harness/memory_attempt.h"
#include "aisp/harness/notice_board.h"
#include "aisp/harness/plugin_loader.h"
#include "aisp/harness/protocol.h"
#include "aisp/harness/round_state.h"
#include "aisp/probes/manifest_facts.h"
#include "aisp/probes/signal_watch.h"

namespace aisp::harness {
namespace {

class Worker {
 public:
  Worker(const WorkerOptions& options, const Status& contained)
      : options_(options),
        channel_(options.fd),
        board_(NoticeBoard::attach(options.fd + 1)),
        containment_(contained ? std::string(kContained) : contained.error().message) {}

  int serve() {
    const Result<std::vector<AvailableWorkload>> loaded = available_workloads(options_.plugins);
    if (loaded) workloads_ = *loaded;
    while (const auto line = channel_.read_line()) {
      const Result<WorkerRequest> request = decode_request(*line);
      if (!request) {
        send_error(request.error());
      } else if (!loaded) {
        send_error(loaded.error());
      } else {
        answer(*request);
      }
    }
    return 0;
  }

 private:
  void send(const WorkerReply& reply) { channel_.write_line(encode(reply)); }
  void send_error(const Error& error) {
    send({.event = "error",
          .code = static_cast<int>(error.code),
          .message = error.message,
          .hint = error.hint});
  }
  void announce(const std::string& notice) {
    running_ = Notice{.text = notice}.who();
    if (!board_.post(notice)) send({.event = "running", .variant = running_});
  }

  /// The one place where what workload code throws is caught.
  void answer(const WorkerRequest& request) {
    try {
      dispatch(request);
    } catch (const std::bad_alloc&) {
      send({.event = "threw", .variant = running_, .message = "out of memory"});
    } catch (const std::exception& error) {
      send({.event = "threw", .variant = running_, .message = error.what()});
    } catch (...) {
      send({.event = "threw", .variant = running_, .message = "something that is not a std::exception"});
    }
  }

  void dispatch(const WorkerRequest& request) {
    if (request.op == "describe") {
      WorkerReply reply{.event = "catalogue"};
      for (const auto& [workload, plugin] : workloads_)
        reply.catalogue.push_back(describe(*workload, plugin));
      return send(reply);
    }
    if (request.op == "rounds" || request.op == "close") {
      if (!sampler_) return send_error({ErrorCode::internal, "no cell is open", ""});
      return request.op == "rounds" ? rounds(request) : close();
    }
    if (request.op == "device" || request.op == "libraries" || request.op == "ceilings")
      return tell_device(request);
    const DeviceKind device = kind_of(request.cell.device);
    const auto found = std::ranges::find_if(workloads_, [&](const AvailableWorkload& w) {
      return w.id() == request.cell.workload && w.device() == device;
    });
    if (found == workloads_.end()) {
      return send_error({ErrorCode::bad_input,
                         "no workload '" + request.cell.workload + "' for " + std::string(name_of(device)),
                         ""});
    }
    const Result<const Workload*> configured = configure(*found->workload, request);
    if (!configured) return send_error(configured.error());
    const Workload& workload = **configured;
    if (workload.shape == Shape::collective) return send_error(no_rank_launcher(workload.id));
    const auto announce_variant = [this](const std::string& variant) { announce(variant); };
    if (request.op == "open") {
      Result<std::unique_ptr<Sampler>> sampler = Sampler::open(workload, request.cell, announce_variant);
      if (!sampler) return send_error(sampler.error());
      sampler_ = *std::move(sampler);
      return send({.event = "opened",
                   .opened = sampler_->opened(),
                   .libraries = libraries(),
                   .containment = containment_});
    }
    if (request.op == "size") return size(workload, request.cell);
    if (request.op == "memory") {
      const Result<MemoryReport> memory = measure_memory(workload, request.cell, announce_variant);
      if (!memory) return send_error(memory.error());
      return send({.event = "memory", .memory = *memory});
    }
    if (request.op == "audit" || request.op == "counters" || request.op == "energy") {
      const AuditOf what = request.op == "audit"      ? AuditOf::activity
                           : request.op == "counters" ? AuditOf::counters
                                                      : AuditOf::energy;
      const Status audited =
          audit(workload, request.cell, {.what = what, .left_out = request.left_out}, announce_variant,
                [this](const AuditReport& report) { send({.event = "audited", .audit = report}); });
      return audited ? send({.event = "done"}) : send_error(audited.error());
    }
    if (request.op == "verify") {
      const Result<Verification> verification = verify(workload, request.cell, announce_variant);
      if (!verification) return send_error(verification.error());
      return send({.event = "verified", .verification = *verification});
    }
    send_error({ErrorCode::bad_input, "unknown request '" + request.op + "'", ""});
  }

  /// The workload with the configurations that the request names; those it declares, where all is verified.
  Result<const Workload*> configure(const Workload& declared, const WorkerRequest& request) {
    const bool every = request.op == "verify" && request.cell.variants.empty();
    if (!every && std::ranges::none_of(request.cell.variants, is_configuration)) return &declared;
    Result<Workload> configured =
        every ? with_every_configuration(declared) : with_configurations(declared, request.cell.variants);
    if (!configured) return configured.error();
    configured_.push_back(std::make_unique<Workload>(*std::move(configured)));
    return configured_.back().get();
  }

  void tell_device(const WorkerRequest& request) {
    announce("");
    if (request.op == "libraries") {
      WorkerReply reply{.event = "libraries"};
      for (const device::GpuLibrary& library : device::gpu_libraries(name_of(DeviceKind::cuda)))
        if (!library.found) reply.missing.push_back({library.name, library.where});
      return send(reply);
    }
    const Result<std::unique_ptr<device::Gpu>> gpu = device::open_gpu(request.cell.device);
    if (!gpu) return send_error(gpu.error());
    if (request.op == "device") return send({.event = "device", .message = (*gpu)->facts().name});
    send({.event = "ceilings", .ceilings = (*gpu)->measure_ceilings()});
  }

  void size(const Workload& workload, const CellSpec& cell) {
    announce("");
    const Problem problem = workload.problem(cell.sizes());
    if (const Status valid = validate(problem); !valid) return send_error(valid.error());
    send({.event = "sized",
          .size = CellSize{.needed_bytes = needed_bytes(problem),
                           .work_bytes = problem.work.bytes,
                           .work_flops = problem.work.flops}});
  }

  /// Asked after a cell is open: anchors load their libraries when they are prepared.
  static std::vector<Fact> libraries() {
    std::vector<Fact> facts;
    for (probes::LoadedObject& object : probes::loaded_objects())
      facts.push_back({object.path.empty() ? "aisp" : object.path, std::move(object.build_id)});
    return facts;
  }

  void rounds(const WorkerRequest& request) {
    for (int i = 0; i < request.count; ++i) {
      send({.event = "round", .round = sampler_->round(request.first_round + i)});
    }
    send({.event = "done"});
  }

  void close() {
    const Closing closing = sampler_->close();
    sampler_.reset();
    send({.event = "closed", .closing = closing});
  }

  WorkerOptions options_;
  LineChannel channel_;
  NoticeBoard board_;
  std::string containment_;
  std::vector<AvailableWorkload> workloads_;
  std::vector<std::unique_ptr<Workload>> configured_;  ///< an open cell refers to one
  std::unique_ptr<Sampler> sampler_;
  std::string running_;
};

}  // namespace

int run_worker(const WorkerOptions& options) {
  watch_for_stops();
  probes::SignalWatch::instance();  // what workload code finds, to be compared with what it leaves
  // A kernel without seccomp still measures; the cells say that they were not contained.
  const Status contained = contain({.memory_limit_bytes = options.memory_limit_bytes});
  return Worker(options, contained).serve();
}

}  // namespace aisp::harness
