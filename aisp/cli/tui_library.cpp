// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/tui_library.h"

#include <cstdlib>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/compare_forms.h"
#include "aisp/cli/file_identity.h"
#include "aisp/cli/results.h"
#include "aisp/report/format.h"
#include "aisp/store/feed.h"
#include "aisp/store/paths.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

report::Judgement judgement_of(const ComparisonLine& line) {
  report::Judgement made;
  made.text = verdict_of(line);
  const bool decided = line.validity == Validity::valid && line.ratio;
  made.tone = line.validity >= Validity::invalid             ? report::Tone::bad
              : !decided                                     ? report::Tone::caution
              : line.ratio->outcome == Outcome::faster       ? report::Tone::good
              : line.ratio->outcome == Outcome::slower       ? report::Tone::bad
              : line.ratio->outcome == Outcome::inconclusive ? report::Tone::caution
                                                             : report::Tone::plain;
  return made;
}

class StoredLibrary : public tui::Library {
 public:
  StoredLibrary(Arguments arguments, std::vector<harness::WorkloadInfo> catalogue)
      : arguments_(std::move(arguments)), catalogue_(std::move(catalogue)) {
    // What opening has to warn of would be written into the screen.
    arguments_.values["quiet"] = {"true"};
  }

  Status open() {
    // One that was replaced is opened anew.
    if (store_ && identity_of(store_->file()) == identity_) return Ok{};
    store_.reset();
    Result<std::optional<store::Store>> opened = open_store_if_any(arguments_);
    if (!opened) return opened.error();
    if (!opened->has_value()) return Ok{};
    store_.emplace(**std::move(opened));
    identity_ = identity_of(store_->file());
    return Ok{};
  }

  const std::vector<harness::WorkloadInfo>& workloads() override { return catalogue_; }

  std::string place() override {
    if (arguments_.has("store")) return store::without_password(arguments_.text("store"));
    const auto paths =
        store::default_paths([](const char* name) -> const char* { return std::getenv(name); });
    return paths ? store::without_password(paths->store.string()) : "";
  }

  std::string version() override {
    if (const Status opened = open(); !opened) return "unreadable: " + opened.error().message;
    if (!store_) return "none";
    const Result<std::int64_t> last = store::last_event(*store_);
    return identity_ + ":" + (last ? std::to_string(*last) : "unknown");
  }

  Result<std::vector<store::CellSummary>> results(const std::string& workload) override {
    if (const Status opened = open(); !opened) return opened.error();
    if (!store_) return std::vector<store::CellSummary>();
    return store_->cells({.limit = tui::kMostListed, .workload = workload});
  }

  Result<CellResult> cell(std::int64_t seq) override {
    if (const Status opened = open(); !opened) return opened.error();
    if (!store_) return Error{ErrorCode::store, "the store is gone", "`aisp run` makes another"};
    return store_->load_cell(seq);
  }

  Result<tui::Comparison> compare(const store::CellSummary& first, const store::CellSummary& second) override;

  std::vector<std::string> shared_words() override {
    std::vector<std::string> words;
    for (const char* flag : {"store", "config", "plugin"})
      for (const std::string& value : arguments_.list(flag))
        // A URL may hold a password, and everybody reads command lines; the variable has it.
        if (!store::is_postgres_url(value)) words.push_back("--" + std::string(flag) + "=" + value);
    return words;
  }

 private:
  Result<RunRecord> run_with(const store::CellSummary& row);

  Arguments arguments_;
  std::vector<harness::WorkloadInfo> catalogue_;
  std::optional<store::Store> store_;
  std::string identity_;
};

/// The run of a cell with this cell alone.
Result<RunRecord> StoredLibrary::run_with(const store::CellSummary& row) {
  Result<CellResult> cell = this->cell(row.seq);
  if (!cell) return cell.error();
  Result<RunRecord> run = store_->load(row.run);
  if (!run) return run.error();
  run->cells.clear();
  run->cells.push_back(*std::move(cell));
  return run;
}

Result<tui::Comparison> StoredLibrary::compare(const store::CellSummary& first,
                                               const store::CellSummary& second) {
  if (first.workload != second.workload || first.parameters != second.parameters)
    return Error{ErrorCode::usage, "only results of one workload and size can be compared",
                 "the filter shows them: type its name and size after /"};
  const Result<RunRecord> a = run_with(first);
  if (!a) return a.error();
  const Result<RunRecord> b = run_with(second);
  if (!b) return b.error();
  const Result<ComparisonAnswer> answer = compare_records(*a, *b, true);
  if (!answer) return answer.error();
  if (answer->lines.empty()) return nothing_in_common();
  const CellResult &one = a->cells.front(), &other = b->cells.front();
  tui::Comparison comparison;
  comparison.what = first.workload + "  " + first.parameters;
  comparison.first = a->id + "  " + first.hardware;
  comparison.second = b->id + "  " + second.hardware;
  comparison.ratio_name = report::ratio_name(one.goal);
  comparison.note = answer->lines.front().note;
  comparison.left_out = answer->left_out;
  const std::string prefix = first.workload + " " + first.parameters + " ";
  for (const ComparisonLine& line : answer->lines) {
    tui::ComparedVariant& v = comparison.variants.emplace_back();
    v.name = line.what.substr(line.what.starts_with(prefix) ? prefix.size() : 0);
    if (const VariantResult* in = one.find(v.name)) v.first = report::variant_row(one, *in).spread;
    if (const VariantResult* in = other.find(v.name)) v.second = report::variant_row(other, *in).spread;
    v.ratio = line.ratio ? report::format_ratio(*line.ratio) : std::string(report::kUnknownText);
    v.verdict = judgement_of(line);
    v.reason = line.reason;
  }
  return comparison;
}

}  // namespace

Result<std::unique_ptr<tui::Library>> tui_library(const Arguments& arguments) {
  Result<std::vector<harness::WorkloadInfo>> catalogue = load_catalogue(arguments.list("plugin"));
  if (!catalogue) return catalogue.error();
  pass_server_on(arguments);
  auto library = std::make_unique<StoredLibrary>(arguments, *std::move(catalogue));
  if (const Status opened = library->open(); !opened) return opened.error();
  return std::unique_ptr<tui::Library>(std::move(library));
}

}  // namespace aisp::cli
