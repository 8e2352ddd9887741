// SPDX-License-Identifier: Apache-2.0
// Writes the inputs from which the fuzzers start: fuzz_seeds <directory>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "aisp/harness/protocol.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"
#include "tests/report/example_run.h"

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The example run, with fewer samples: fuzzers like small seeds.
aisp::RunRecord small_run() {
  aisp::RunRecord run = aisp::report::example_run();
  for (aisp::CellResult& cell : run.cells) {
    cell.rounds.resize(std::min<std::size_t>(cell.rounds.size(), 2));
    for (aisp::VariantResult& variant : cell.variants) {
      aisp::Samples& s = variant.samples;
      for (auto* column : {&s.attempt, &s.round, &s.pass, &s.calls})
        column->resize(std::min<std::size_t>(column->size(), 3));
      s.ns.resize(std::min<std::size_t>(s.ns.size(), 3));
      s.items.resize(std::min<std::size_t>(s.items.size(), 1));
    }
  }
  return run;
}

int write_seeds(const fs::path& root) {
  const aisp::RunRecord run = small_run();
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

  const std::string host = " HTTP/1.1\r\nHost: localhost:8100\r\n";
  write(root / "http_request/get", "GET /api/v1/things/a%2Fb?limit=2&by=time&by=memory" + host + "\r\n");
  write(root / "http_request/two",
        "HEAD /" + host + "\r\nGET /assets/a.js" + host + "Accept-Encoding: gzip\r\n\r\n");
  write(root / "http_request/post",
        "POST /api/v1/things" + host +
            "Origin: http://localhost:8100\r\nAuthorization: Bearer 0123456789abcdef\r\n"
            "Content-Length: 15\r\n\r\n{\"targets\": []}");

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
