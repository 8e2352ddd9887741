// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/job_progress.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/results.h"
#include "aisp/cli/serve_job.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/cli/terminal.h"
#include "aisp/cli/version.h"
#include "aisp/harness/seed.h"
#include "aisp/server/server.h"
#include "aisp/store/feed.h"

namespace aisp::cli {
namespace {

constexpr std::size_t kShortestToken = 16;

/// Whole runs and their answers come and go, some megabytes each. Left to itself, glibc keeps the memory of
/// such buffers once it has seen a few, in a heap for each thread.
void give_large_buffers_back() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 2);
}

/// A file that only its owner reads, gone with this object: a token on a terminal or a command line is seen
/// by others.
class TokenFile {
 public:
  static Result<TokenFile> write(const std::string& token, std::uint16_t port) {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code error;
    std::filesystem::path directory = runtime != nullptr && *runtime != '\0'
                                          ? std::filesystem::path(runtime)
                                          : std::filesystem::temp_directory_path(error);
    const auto path =
        directory / ("aisp-serve-" + std::to_string(getuid()) + "-" + std::to_string(port) + ".token");
    ::unlink(path.c_str());  // left by one that was killed; what is there now is made by us or by nobody
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    const std::string text = token + "\n";
    const bool written =
        fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (fd >= 0) close(fd);
    if (!written)
      return Error{ErrorCode::io, "cannot write the token to " + path.string(),
                   "set AISP_TOKEN, or XDG_RUNTIME_DIR to a directory that can be written to"};
    return TokenFile(path);
  }
  TokenFile(TokenFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TokenFile& operator=(TokenFile&&) = delete;
  ~TokenFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TokenFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

Json feed_json(const store::FeedEvent& event) { return to_json(event); }

/// What came behind an event. Without a store, or while it cannot be read, nothing does.
server::News news_after(Served& served, std::int64_t after) {
  server::News news;
  served.store.with([&](store::Store* store) {
    if (store == nullptr) return server::Response{};
    const auto last = store::last_event(*store);
    const auto events = store::events_after(*store, after);
    if (!last || !events) return server::Response{};
    news.last = *last;
    for (const store::FeedEvent& event : *events)
      news.events.push_back({.id = event.seq, .kind = event.kind, .data = feed_json(event).dump()});
    return server::Response{};
  });
  return news;
}

std::vector<server::Gauge> gauges_of(Served& served) {
  std::vector<server::Gauge> gauges;
  served.store.with([&](store::Store* store) {
    const auto counts =
        store != nullptr ? store::counts(*store) : Result<store::StoreCounts>(store::StoreCounts{});
    if (!counts) return server::Response{};
    gauges = {
        {"aisp_store_runs", "stored runs", static_cast<double>(counts->runs)},
        {"aisp_store_cells", "finished cells", static_cast<double>(counts->cells)},
        {"aisp_store_last_event", "number of the newest event", static_cast<double>(counts->last_event)}};
    return server::Response{};
  });
  return gauges;
}

server::Loopback loopback_of(const std::string& host) {
  if (host == "localhost") return server::Loopback::both;
  return host == "::1" ? server::Loopback::ipv6 : server::Loopback::ipv4;
}

std::string url_of(const std::string& host, std::uint16_t port) {
  return "http://" + (host == "::1" ? "[::1]" : host) + ":" + std::to_string(port) + "/";
}

bool announce(const Arguments& arguments, const std::string& url, const std::optional<TokenFile>& token) {
  if (arguments.json())
    return print(json_document("serve",
                               {{"url", url},
                                {"runs_allowed", arguments.has("allow-runs")},
                                {"token_file", token ? Json(token->path().string()) : Json(nullptr)}},
                               -1));
  std::string text = url + "\n";
  if (token) text += "runs may be started with the token in " + token->path().string() + "\n";
  return print(text + "Ctrl-C ends it.\n");
}

Result<std::string> asked_token(const Arguments& arguments) {
  if (!arguments.has("allow-runs")) return std::string();
  if (!arguments.has("token")) return harness::Seed::draw().hex();
  const std::string token = arguments.text("token");
  const auto plain = [](unsigned char c) { return c > 0x20 && c < 0x7f; };
  if (token.size() < kShortestToken || !std::ranges::all_of(token, plain))
    return Error{ErrorCode::usage,
                 "--token is too short, or has other characters than letters, digits and signs",
                 "give at least 16, or leave it out: one is made"};
  return token;
}

/// Asks what the first page asks, before anybody opens it: over a large store that nobody has read since the
/// machine started, the answers take a second and more, and are kept from then on.
class FirstAnswers {
 public:
  explicit FirstAnswers(server::Service& service)
      : thread_([this, &service] {
          try {
            for (const char* target : {"/api/v1/summary", "/api/v1/history?changed=true&top=1000"})
              service.answer({.method = "GET", .target = target, .headers = {{"host", "localhost"}}});
          } catch (const std::bad_alloc&) {
            // Whoever asks first waits a little longer.
          }
          given_ = true;
        }) {}
  ~FirstAnswers() { thread_.join(); }
  FirstAnswers(const FirstAnswers&) = delete;
  FirstAnswers& operator=(const FirstAnswers&) = delete;
  bool given() const { return given_; }

 private:
  std::atomic<bool> given_ = false;
  std::thread thread_;  // last: it uses what is above
};

int run_serve(const Arguments& arguments) {
  give_large_buffers_back();
  const Result<std::string> token = asked_token(arguments);
  if (!token) return fail(arguments, token.error());
  Result<std::vector<harness::WorkloadInfo>> catalogue = load_catalogue(arguments.list("plugin"));
  if (!catalogue) return fail(arguments, catalogue.error());
  pass_server_on(arguments);
  // A store that cannot be read is told now; one that is not there yet may come, unless it was named.
  const Result<std::string> missing = missing_store(arguments);
  if (!missing) return fail(arguments, missing.error());
  if (!missing->empty()) warn(arguments, *missing);
  if (const auto readable = open_store_if_any(arguments); !readable) return fail(arguments, readable.error());

  Served served(arguments);
  served.catalogue = *std::move(catalogue);
  server::Server* listening = nullptr;
  JobProgress progress([&listening](const server::Event& event) { listening->broadcast(event); });
  std::optional<server::JobControl> jobs;
  if (arguments.has("allow-runs")) {
    jobs.emplace(
        "/proc/self/exe",
        [&](const server::Job& job) {
          progress.follow(job);
          listening->broadcast({.kind = "job", .data = job_document(job, true, -1)});
        },
        [&progress](const std::string& line) { return progress.take(line); });
    served.jobs = &*jobs;
  }
  server::Service service({.token = *token,
                           .routes = all_routes(served),
                           .files = server::dashboard_files(),
                           .version = [&] { return served.store.version(); },
                           .gauges = [&] { return gauges_of(served); },
                           .program_version = version()});
  const Result<std::unique_ptr<server::Server>> server =
      server::Server::listen({.at = loopback_of(arguments.text("host")),
                              .port = static_cast<std::uint16_t>(arguments.number("port")),
                              .service = &service,
                              .news = [&](std::int64_t after) { return news_after(served, after); },
                              .greeting = [&progress] { return progress.so_far(); }});
  if (!server) return fail(arguments, server.error());
  listening = server->get();
  std::optional<TokenFile> token_file;
  if (arguments.has("allow-runs") && !arguments.has("token")) {
    Result<TokenFile> written = TokenFile::write(*token, listening->port());
    if (!written) return fail(arguments, written.error());
    token_file.emplace(*std::move(written));
  }
  if (!announce(arguments, url_of(arguments.text("host"), listening->port()), token_file))
    return static_cast<int>(ErrorCode::io);
  const FirstAnswers first(service);
  const int signal = listening->run();
  jobs.reset();  // ends the run it started
  token_file.reset();
  // A question over a large store may take long; who ends the server does not wait for its answer. All it
  // holds is a store opened for reading.
  const auto answering = [&] { return listening->answering() || !first.given(); };
  for (int i = 0; i < 30 && answering(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const int code = signal == 0 ? 0 : 128 + signal;
  if (answering()) std::_Exit(code);
  return code;
}

}  // namespace

const Command kServe{
    .name = "serve",
    .summary = "Serves the dashboard and the REST API on this machine: http://127.0.0.1:8100/",
    .positional = "",
    .flags = {{.name = "host",
               .kind = FlagKind::choice,
               .help = "address of this machine to listen on; localhost: both",
               .value = "ADDRESS",
               .fallback = "127.0.0.1",
               .choices = {"127.0.0.1", "::1", "localhost"}},
              {.name = "port",
               .kind = FlagKind::integer,
               .help = "where to listen; 0 = any that is free",
               .value = "PORT",
               .fallback = "8100",
               .low = 0,
               .high = 65535},
              {.name = "allow-runs",
               .kind = FlagKind::toggle,
               .help = "let who knows the token start runs from the page"},
              {.name = "token",
               .kind = FlagKind::text,
               .help = "the token, better given as AISP_TOKEN [one is made]",
               .value = "TEXT"},
              plugin_flag()},
    .details =
        "Other machines cannot reach it: `ssh -L 8100:localhost:8100 HOST` brings it to yours.\n"
        "/api/v1/openapi.json describes the API; docs/design/server.md says why it is as it is.\n\n"
        "aisp serve\naisp serve --port 0 --allow-runs\n"
        "curl http://127.0.0.1:8100/api/v1/analysis/leaderboards?workload=ch07",
    .run = run_serve};

}  // namespace aisp::cli
