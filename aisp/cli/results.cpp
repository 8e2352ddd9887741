// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/results.h"

#include <cstdlib>

#include "aisp/store/paths.h"
#include "aisp/store/place.h"

namespace aisp::cli {
namespace {

struct Place {
  std::filesystem::path file, fallback;
};

/// --store, AISP_STORE, or the usual place.
Result<Place> place_of(const Arguments& arguments) {
  const auto lookup = [](const char* name) -> const char* { return std::getenv(name); };
  Result<store::StorePaths> paths = store::default_paths(lookup);
  if (!paths && !arguments.has("store")) return paths.error();
  return Place{arguments.has("store") ? std::filesystem::path(arguments.text("store")) : paths->store,
               paths ? paths->fallback : std::filesystem::path()};
}

}  // namespace

Result<std::filesystem::path> store_place(const Arguments& arguments) {
  const Result<Place> place = place_of(arguments);
  if (!place) return place.error();
  return place->file;
}

Result<store::Store> open_store(const Arguments& arguments, store::Access access, bool to_free_space) {
  const Result<Place> place = place_of(arguments);
  if (!place) return place.error();
  Result<store::Store> opened =
      store::Store::open(place->file, access, {.fallback = place->fallback, .to_free_space = to_free_space});
  if (opened) {
    for (const std::string& warning : opened->warnings()) warn(arguments, warning);
  }
  return opened;
}

Result<std::optional<store::Store>> open_store_if_any(const Arguments& arguments) {
  const Result<Place> place = place_of(arguments);
  if (!place) return place.error();
  const Result<bool> there = store::is_there(place->file);
  if (!there) return there.error();
  if (!*there) return std::optional<store::Store>();
  Result<store::Store> opened = open_store(arguments, store::Access::read_only);
  if (!opened) return opened.error();
  return std::optional<store::Store>(*std::move(opened));
}

}  // namespace aisp::cli
