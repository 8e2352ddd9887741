// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/results.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "aisp/cli/terminal.h"
#include "aisp/store/paths.h"
#include "aisp/store/place.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

constexpr std::chrono::seconds kSilence{1};  ///< what takes no longer needs no message

struct StorePlace {
  std::filesystem::path file, fallback;
};

/// --store, AISP_STORE, or the usual place.
Result<StorePlace> place_of(const Arguments& arguments) {
  // As a variable leaves it that is not set: the usual store would be another than the one that was meant.
  if (arguments.has("store") && arguments.text("store").empty())
    return Error{ErrorCode::usage, "--store names nothing", "give it a file or a URL, or leave it out"};
  const auto lookup = [](const char* name) -> const char* { return std::getenv(name); };
  Result<store::StorePaths> paths = store::default_paths(lookup);
  if (!paths && !arguments.has("store")) return paths.error();
  return StorePlace{arguments.has("store") ? std::filesystem::path(arguments.text("store")) : paths->store,
                    paths ? paths->fallback : std::filesystem::path()};
}

}  // namespace

Result<std::filesystem::path> store_place(const Arguments& arguments) {
  const Result<StorePlace> place = place_of(arguments);
  if (!place) return place.error();
  return place->file;
}

void pass_server_on(const Arguments& arguments) {
  if (const std::string url = arguments.text("store"); store::is_postgres_url(url))
    ::setenv("AISP_STORE", url.c_str(), 1);
}

store::CatchingUp catching_up(const Arguments& arguments, const std::string& store,
                              std::function<std::chrono::steady_clock::time_point()> now) {
  struct State {
    Progress progress;
    std::chrono::steady_clock::time_point started;
    bool said = false;
  };
  // Made with the first event, so that the time before it does not count; std::function must be copyable.
  return [&arguments, store, now = std::move(now), state = std::shared_ptr<State>()](
             std::int64_t done, std::int64_t all) mutable {
    if (!state) state.reset(new State{.progress = Progress(arguments), .started = now()});
    if (now() - state->started < kSilence) return;
    if (!std::exchange(state->said, true))
      state->progress.note("bringing the figures of " + store::without_password(store) +
                           " up to date, once: an older program wrote it");
    state->progress.show(static_cast<double>(done) / static_cast<double>(all),
                         fmt::format("{} of {} events", done, all));
  };
}

Result<store::Store> open_store(const Arguments& arguments, store::Access access, Purpose purpose) {
  const Result<StorePlace> place = place_of(arguments);
  if (!place) return place.error();
  Result<store::Store> opened =
      store::Store::open(place->file, access,
                         {.fallback = place->fallback,
                          .to_free_space = purpose == Purpose::free_space,
                          .create = purpose == Purpose::results,
                          .catching_up = catching_up(arguments, place->file.string())});
  if (opened) {
    for (const std::string& warning : opened->warnings()) warn(arguments, warning);
  }
  return opened;
}

Result<std::optional<store::Store>> open_store_if_any(const Arguments& arguments) {
  const Result<StorePlace> place = place_of(arguments);
  if (!place) return place.error();
  const Result<bool> there = store::is_there(place->file);
  if (!there) return there.error();
  if (!*there) return std::optional<store::Store>();
  Result<store::Store> opened = open_store(arguments, store::Access::read_only);
  if (!opened) return opened.error();
  return std::optional<store::Store>(*std::move(opened));
}

Result<std::string> missing_store(const Arguments& arguments) {
  const Result<StorePlace> place = place_of(arguments);
  if (!place) return place.error();
  const Result<bool> there = store::is_there(place->file);
  if (!there) return there.error();
  if (*there) return std::string();
  const std::string name = store::without_password(place->file.string());
  const std::string none = "there is no store at " + name;
  if (arguments.typed.contains("store"))
    return Error{
        ErrorCode::store, none + ", so there are no results to show",
        "`aisp run ch07 --store " + name + "` measures and makes it; without --store the usual one is shown"};
  return none + " yet: results show once `aisp run ch07`, say, has made it";
}

}  // namespace aisp::cli
