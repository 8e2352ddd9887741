// SPDX-License-Identifier: Apache-2.0
// Bytes of any content from a client are requests that get a response, or are refused with one; and a
// response is what it says it is. The routes are those of `aisp serve`, over a small store.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/serve_job.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/server/request_reader.h"
#include "aisp/server/response_text.h"
#include "aisp/server/service.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/small_run.h"
#include "tests/plugins/doubling.h"

namespace {

using namespace aisp::server;
using aisp::fuzz::claim;

constexpr std::string_view kToken = "0123456789abcdef";

/// There is something to run.
const aisp::Registration registered{
    aisp::plugins::doubling("ch07/transpose", "doubled", aisp::plugins::honest)};

/// What a request asks to be run is checked as it would be; nothing is started. Words are a command line
/// without a shell: each is a flag of a run or the name of a workload, and none names a file.
Response plan_only(const aisp::cli::Served& served, const Asked& asked) {
  const auto words = aisp::cli::run_words(served.arguments, asked.request.body);
  if (!words) return refusal(words.error());
  claim(words->size() >= 2 && words->front() == "run");
  for (const std::string& word : *words) {
    claim(word.find('\0') == std::string::npos && word.size() < 1000);
    for (const char* forbidden : {"--plugin", "--report", "--resume", "--launcher", "--shared"})
      claim(!word.starts_with(forbidden));
  }
  return {.status = 202, .body = "{}"};
}

/// Goes with the process; two runs with a cell of every kind.
class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "aisp-fuzz-XXXXXX").string();
    claim(::mkdtemp(name.data()) != nullptr);
    path_ = name;
    auto store = aisp::store::Store::open(file(), aisp::store::Access::read_write);
    claim(store.operator bool());
    for (const char* id : {"20261115-100000-aaaa", "20261116-100000-bbbb"}) {
      aisp::RunRecord run = aisp::fuzz::small_run();
      run.id = id;
      claim(store->run_started(run).operator bool());
      for (const aisp::CellResult& cell : run.cells) claim(store->cell_finished(id, cell).operator bool());
      claim(store->run_finished(id, "finished", run.started).operator bool());
    }
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  std::string file() const { return path_ / "results.db"; }

 private:
  std::filesystem::path path_;
};

/// What it reads of the machine differs from one call to the next and costs a hundred inputs.
bool is_fuzzed(const Route& route) { return route.path != "/api/v1/machine"; }

Service& service() {
  static constexpr Embedded kFiles[] = {{"index.html", "<html>", "zipped"}, {"assets/a.js", "1", "zipped"}};
  static const Directory directory;
  static aisp::cli::Served served([] {
    aisp::cli::Arguments arguments;
    arguments.values["store"] = {directory.file()};
    return arguments;
  }());
  static Service service([] {
    served.catalogue = *aisp::cli::load_catalogue({});
    claim(!served.catalogue.empty());
    std::vector<Route> routes = aisp::cli::all_routes(served);
    std::erase_if(routes, [](const Route& route) { return !is_fuzzed(route); });
    for (Route& route : routes)
      if (route.method == "POST") route.answer = [](const Asked& asked) { return plan_only(served, asked); };
    return ServiceOptions{.token = std::string(kToken),
                          .routes = std::move(routes),
                          .files = kFiles,
                          .version = [] { return served.store.version(); },
                          .program_version = "fuzzed"};
  }());
  return service;
}

void check(const Response& response, const Request& request) {
  claim(response.status >= 200 && response.status < 600);
  claim(reason_of(response.status) != "Unknown");
  if (response.status >= 400) claim(aisp::parse_json(response.body).operator bool());
  const std::string text = response_text(response, request, true);
  const std::size_t end = text.find("\r\n\r\n");
  claim(end != std::string::npos);
  // One header, whatever was quoted in it.
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  claim(lines <= 6 + static_cast<std::ptrdiff_t>(response.headers.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // All at once and in two parts: where a packet ends must not matter.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RequestReader whole, parts;
  whole.put(bytes);
  const std::size_t half = size / 2;
  parts.put(bytes.substr(0, half));
  bool rest = false;
  for (int i = 0; i < 64; ++i) {
    auto read = whole.next();
    auto again = parts.next();
    if (!again && !rest) {
      parts.put(bytes.substr(half));
      rest = true;
      again = parts.next();
    }
    claim(read.has_value() == again.has_value());
    if (!read) break;
    claim(read->index() == again->index());
    const auto* request = std::get_if<Request>(&*read);
    if (request == nullptr) {
      check(std::get<Response>(*read), Request{});
      break;
    }
    claim(request->body == std::get<Request>(*again).body);
    const Response response = service().answer(*request);
    check(response, *request);
    // Nothing is changed by who does not know the token.
    const std::string* given = request->header("authorization");
    const bool knows = given != nullptr && given->ends_with(kToken);
    if (changes_something(request->method) && !knows) claim(response.status >= 400);
  }
  return 0;
}
