// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/serve_store.h"

#include "aisp/cli/file_identity.h"
#include "aisp/cli/results.h"
#include "aisp/store/feed.h"
#include "aisp/store/figures.h"

namespace aisp::cli {
namespace {

constexpr std::size_t kRememberedQueries = 8;

std::string key_of(const store::FigureQuery& query) {
  std::string key = query.hardware + "\n" + query.device;
  for (const std::string& workload : query.workloads) key += "\n" + workload;
  return key;
}

}  // namespace

ServedStore::ServedStore(Arguments arguments) : arguments_(std::move(arguments)) {
  // What opening has to warn of is said once, by the command, and not for every connection.
  arguments_.values["quiet"] = {"true"};
}

Result<std::unique_ptr<ServedStore::Opened>> ServedStore::take() {
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      std::unique_ptr<Opened> opened = std::move(idle_.back());
      idle_.pop_back();
      if (identity_of(opened->store.file()) == opened->identity) return opened;
    }
  }
  Result<std::optional<store::Store>> results = open_store_if_any(arguments_);
  if (!results) return results.error();
  if (!results->has_value()) return std::unique_ptr<Opened>();
  std::string identity = identity_of((*results)->file());
  return std::make_unique<Opened>(Opened{std::move(identity), **std::move(results)});
}

void ServedStore::give_back(std::unique_ptr<Opened> opened) {
  const std::lock_guard lock(mutex_);
  if (opened) idle_.push_back(std::move(opened));
}

server::Response ServedStore::with(const std::function<server::Response(store::Store*)>& work) {
  Result<std::unique_ptr<Opened>> opened = take();
  if (!opened) return server::refusal(opened.error());
  server::Response response = work(*opened ? &(*opened)->store : nullptr);
  give_back(*std::move(opened));
  return response;
}

std::string ServedStore::version() {
  Result<std::unique_ptr<Opened>> opened = take();
  if (!opened || !*opened) return "none";
  const Result<std::int64_t> last = store::last_event((*opened)->store);
  std::string version = (*opened)->identity + ":" + (last ? std::to_string(*last) : "unknown");
  if (last) give_back(*std::move(opened));
  return version;
}

Figures ServedStore::remembered(const std::string& key, const std::string& version) {
  const std::lock_guard lock(mutex_);
  const auto found = figures_.find(key);
  return found != figures_.end() && found->second.version == version ? found->second.figures : nullptr;
}

Result<Figures> ServedStore::figures(store::Store* store, const Arguments& arguments) {
  if (store == nullptr) return std::make_shared<const std::vector<Figure>>();
  const Result<store::FigureQuery> query = figure_query(*store, arguments);
  if (!query) return query.error();
  const Result<std::int64_t> last = store::last_event(*store);
  if (!last) return last.error();
  const std::string version = identity_of(store->file()) + ":" + std::to_string(*last);
  const std::string key = key_of(*query);
  if (Figures known = remembered(key, version)) return known;
  const std::lock_guard reading(reading_);
  if (Figures known = remembered(key, version)) return known;
  Result<Figures> figures = figures_to_compare(*store, *query);
  if (!figures) return figures.error();
  const std::lock_guard lock(mutex_);
  if (figures_.size() >= kRememberedQueries) figures_.clear();
  figures_[key] = {version, *figures};
  return figures;
}

}  // namespace aisp::cli
