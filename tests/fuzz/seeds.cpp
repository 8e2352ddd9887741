// SPDX-License-Identifier: Apache-2.0
// Writes the inputs from which the fuzzers start: fuzz_seeds <directory>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "aisp/harness/protocol.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"
#include "tests/fuzz/small_run.h"

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_requests(const fs::path& folder) {
  const std::string host = " HTTP/1.1\r\nHost: localhost:8100\r\n";
  int number = 0;
  for (const char* target :
       {"benchmarks",
        "workloads/ch07%2Ftranspose",
        "runs?limit=2&before=2026&workload=ch07/a&hardware=box",
        "runs/latest?samples=false&evidence=false",
        "runs/20261115-10/cells/0",
        "cells/2",
        "summary",
        "analysis/leaderboards?workload=ch07&device=cpu&goal=speed&top=3",
        "analysis/pareto?by=time&by=memory",
        "analysis/tradeoffs?by=error",
        "analysis/recommendations?top=2",
        "analysis/whatif?vram=1G&latency=2&max-error=0.1&param=n=4096",
        "analysis/power",
        "analysis/scaling",
        "analysis/cost?gpu=h100&rate=2.5&price=cpu=1",
        "analysis/stacking?top=1",
        "history?hardware=&since=2026-01-01&changed=true&unproven=true&equivalence=0.02&top=2&points=3",
        "compare?first=20261115-10&second=latest&across=true",
        "guards",
        "guards/output_written",
        "compare?run=latest&workload=a&first=b&second=c",
        "openapi.json",
        "runs/current",
        "events?after=1"})
    write(folder / std::to_string(++number), "GET /api/v1/" + std::string(target) + host + "\r\n");
  write(folder / "metrics", "GET /metrics" + host + "If-None-Match: *\r\n\r\n");
  write(folder / "two", "HEAD /" + host + "\r\nGET /assets/a.js" + host + "Accept-Encoding: gzip\r\n\r\n");
  for (const char* body :
       {R"({"targets": ["ch07/transpose"], "suite": "quick", "param": ["n=64"], "attempts": 2})",
        R"({"targets": ["*"], "precision": 0.1, "pin": true, "variant": "a", "device": "cpu"})"}) {
    write(folder / ("post" + std::to_string(++number)),
          "POST /api/v1/runs" + host +
              "Origin: http://localhost:8100\r\nAuthorization: Bearer 0123456789abcdef\r\nContent-Length: " +
              std::to_string(std::string_view(body).size()) + "\r\n\r\n" + body);
  }
}

int write_seeds(const fs::path& root) {
  const aisp::RunRecord run = aisp::fuzz::small_run();
  write(root / "json/run", aisp::to_json(run).dump());
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    write(root / "json" / std::to_string(i), aisp::to_json(run.cells[i]).dump());

  write(root / "config/plain", "cell-seconds = 5\nparam = [\"n=1024\"]\n[run]\npolicy = \"strict\"\n");
  write(root / "config/values",
        "precision = 0.02\npin = true\n# a comment\n[run]\nmax-rounds = 40\nplugin = ['a.so', \"b\"]\n");

  aisp::harness::WorkerRequest request;
  for (const char* op : {"describe", "open", "rounds", "close", "memory", "verify"}) {
    request.op = op;
    write(root / "protocol" / op, encode(request));
  }
  aisp::harness::WorkerReply reply;
  reply.event = "round";
  reply.opened.emplace();
  reply.round.emplace();
  reply.closing.emplace();
  reply.memory.emplace();
  reply.verification.emplace();
  reply.catalogue.emplace_back();
  write(root / "protocol/reply", encode(reply));

  write_requests(root / "http_request");

  const fs::path file = root / "store/results";
  fs::create_directories(file.parent_path());
  {
    auto store = aisp::store::Store::open(file, aisp::store::Access::read_write);
    if (!store || !store->run_started(run)) return 1;
    for (const aisp::CellResult& cell : run.cells) {
      if (!store->cell_started(run.id, cell.workload, cell.parameters) || !store->cell_finished(run.id, cell))
        return 1;
    }
    if (!store->run_finished(run.id, "finished", run.started)) return 1;
  }
  // Files beside the store (lock, write-ahead log) are no seeds.
  for (const auto& entry : fs::directory_iterator(file.parent_path())) {
    if (entry.path() != file) fs::remove_all(entry.path());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds <directory>\n");
    return 2;
  }
  return write_seeds(argv[1]);
}
