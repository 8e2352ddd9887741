// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/store.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/core/method.h"
#include "aisp/core/nearest.h"
#include "aisp/harness/derive.h"
#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/store/chain.h"
#include "aisp/store/figures_check.h"
#include "aisp/store/merge.h"
#include "aisp/store/prune.h"

namespace aisp::cli {
namespace {

constexpr const char* kWhatIsLeft =
    "it was changed outside aisp, or is damaged; other runs can still be shown and exported. Nothing is "
    "deleted: "
    "`aisp run` keeps a file aside that it cannot go on with, --store chooses another";

/// derive() fills what is derived and changes nothing else, so that whatever differs afterwards does not
/// follow from the samples.
bool follows_from_its_samples(const CellResult& stored, const RunConfig& config) {
  CellResult again = stored;
  harness::derive(again, config);
  return to_json(again) == to_json(stored);
}

std::string counted(std::int64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

struct VerdictCheck {
  int cells = 0;
  std::vector<std::string> differing;
  int other_method = 0;            ///< cells of runs whose verdicts another method derived
  int other_method_differing = 0;  ///< of them, those that this one would judge otherwise
};

Result<VerdictCheck> check_verdicts(store::Store& results, Progress& progress) {
  VerdictCheck check;
  store::RunQuery query{.limit = 200};
  for (;;) {
    const auto page = results.list(query);
    if (!page) return page.error();
    if (page->empty()) return check;
    for (const store::RunSummary& summary : *page) {
      const Result<RunRecord> run = results.load(summary.id);
      if (!run) return run.error();
      for (const CellResult& stored : run->cells) {
        if (stored.variants.empty() || stored.stopped == "failed" || stored.stopped == "interrupted")
          continue;
        const bool follows = follows_from_its_samples(stored, run->manifest.config);
        ++check.cells;
        progress.show(0, std::to_string(check.cells) + " cells checked");
        if (run->manifest.method != kMethod) {
          ++check.other_method;
          check.other_method_differing += follows ? 0 : 1;
        } else if (!follows) {
          check.differing.push_back(run->id + " " + stored.workload + " " + stored.parameters);
        }
      }
    }
    query.before = page->back().id;
  }
}

std::string figures_text(const store::FiguresReport& report) {
  if (!report.current)
    return "figures: not derived yet; `aisp store migrate` does, and so does the next run\n";
  std::string text = fmt::format("figures: {} derived again, {}\n", counted(report.rows, "row"),
                                 report.differing.empty() ? "none differs" : "some differ");
  for (const std::string& each : report.differing) text += "  differs: " + each + "\n";
  if (!report.differing.empty()) text += "  `aisp store migrate` derives them again from the events\n";
  return text;
}

int run_check(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return fail(arguments, results.error());
  const Result<store::ChainReport> chain = store::check_chain(*results);
  if (!chain) return fail(arguments, chain.error());
  if (chain->broken) {
    const store::BrokenEvent& broken = *chain->broken;
    const std::string where =  // of the file as a whole there is no event to name
        broken.kind.empty() ? ""
                            : fmt::format("event {} ({} of run {}): ", broken.seq, broken.kind, broken.run);
    return fail(arguments, {ErrorCode::store, where + broken.what, kWhatIsLeft});
  }
  Progress progress(arguments);
  const Result<VerdictCheck> verdicts = check_verdicts(*results, progress);
  progress.clear();
  if (!verdicts) return fail(arguments, verdicts.error());
  const Result<store::FiguresReport> figures = store::check_figures(*results);
  if (!figures) return fail(arguments, figures.error());
  std::string text;
  if (arguments.json()) {
    text = json_document("store", {{"action", "check"},
                                   {"events", chain->events},
                                   {"pruned", chain->pruned},
                                   {"head", chain->head},
                                   {"cells", verdicts->cells},
                                   {"differing", to_json(verdicts->differing)},
                                   {"other_method", verdicts->other_method},
                                   {"other_method_differing", verdicts->other_method_differing},
                                   {"clock_steps", chain->clock_steps},
                                   {"figures_current", figures->current},
                                   {"figures", figures->rows},
                                   {"figures_differing", to_json(figures->differing)}});
  } else {
    text = fmt::format("chain: {} {}, {} of them pruned, head {}\nverdicts: {} derived again, {} differ\n",
                       counted(chain->events, "event"), chain->events == 1 ? "holds" : "hold", chain->pruned,
                       chain->head, counted(verdicts->cells, "cell"), verdicts->differing.size());
    for (const std::string& cell : verdicts->differing) text += "  differs: " + cell + "\n";
    text += figures_text(*figures);
    if (verdicts->other_method > 0)
      text += fmt::format(
          "note: another method than this program's (number {}) judged {}; {} would be judged "
          "otherwise today\n",
          kMethod, counted(verdicts->other_method, "cell"), verdicts->other_method_differing);
    if (chain->clock_steps > 0)
      text += fmt::format("note: the wall clock went back {} within a run\n",
                          counted(chain->clock_steps, "time"));
  }
  if (!print(text)) return static_cast<int>(ErrorCode::io);
  return verdicts->differing.empty() && figures->differing.empty() ? kExitValid : kExitInvalid;
}

int run_prune(const Arguments& arguments) {
  store::PruneOptions options;
  if (arguments.has("keep")) options.keep_newest = static_cast<std::size_t>(arguments.number("keep"));
  if (arguments.has("older-than")) options.older_than = arguments.text("older-than");
  options.dry_run = arguments.has("dry-run");
  if (!options.keep_newest && !options.older_than) {
    return fail(arguments, {ErrorCode::usage, "say what to keep", "--keep 100, or --older-than 2026-01-31"});
  }
  const auto access = options.dry_run ? store::Access::read_only : store::Access::read_write;
  Result<store::Store> results = open_store(arguments, access, Purpose::free_space);
  if (!results) return fail(arguments, results.error());
  const Result<store::PruneReport> pruned = store::prune(*results, options);
  if (!pruned) return fail(arguments, pruned.error());
  std::string text;
  if (arguments.json()) {
    text = json_document("store", {{"action", "prune"},
                                   {"dry_run", options.dry_run},
                                   {"runs", to_json(pruned->runs)},
                                   {"events", pruned->events},
                                   {"bytes", pruned->bytes}});
  } else {
    for (const std::string& id : pruned->runs) text += "  " + report::visible(id) + "\n";
    text += fmt::format("{} {}, {}, {}\n", options.dry_run ? "would prune" : "pruned",
                        counted(static_cast<std::int64_t>(pruned->runs.size()), "run"),
                        counted(pruned->events, "event"),
                        report::format_bytes(static_cast<double>(pruned->bytes)));
  }
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

/// Opening for writing brings a store to this version, imports its journal and recovers a damaged file.
int run_migrate(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_write, Purpose::what_is_there);
  if (!results) return fail(arguments, results.error());
  // What the events say counts: a table that says something else is derived again.
  const Result<store::FiguresReport> figures = store::check_figures(*results);
  if (!figures || !figures->current || !figures->differing.empty()) {
    const Status derived =
        store::derive_figures_again(*results, catching_up(arguments, results->file().string()));
    if (!derived) return fail(arguments, derived.error());
  }
  const std::string file = results->file().string();
  const std::string text =
      arguments.json() ? json_document("store", {{"action", "migrate"}, {"file", printable_utf8(file)}})
                       : file + " is up to date\n";
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

int run_merge(const Arguments& arguments) {
  if (arguments.positional.size() < 2) {
    return fail(arguments, {ErrorCode::usage, "name the stores to take runs from",
                            "`aisp store merge other.db`; --store names the one they go into"});
  }
  std::vector<store::Store> others;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    Result<store::Store> from = store::Store::open(arguments.positional[i], store::Access::read_only);
    if (!from) return fail(arguments, from.error());
    for (const std::string& warning : from->warnings()) warn(arguments, warning);
    others.push_back(*std::move(from));
  }
  Result<store::Store> into = open_store(arguments, store::Access::read_write);
  if (!into) return fail(arguments, into.error());
  std::vector<store::Store*> sources;
  for (store::Store& other : others) sources.push_back(&other);
  const Result<store::MergeReport> merged = store::merge(*into, sources);
  if (!merged) return fail(arguments, merged.error());
  // The one stored last, which after a merge need not be the newest.
  const auto last = into->list({.limit = 1});
  if (!last) return fail(arguments, last.error());
  const std::string latest = last->empty() ? "" : last->front().id;
  std::string text;
  if (arguments.json()) {
    text = json_document("store", {{"action", "merge"},
                                   {"runs", to_json(merged->runs)},
                                   {"events", merged->events},
                                   {"known", merged->known},
                                   {"latest", printable_utf8(latest)}});
  } else {
    for (const std::string& id : merged->runs) text += "  " + report::visible(id) + "\n";
    text += fmt::format("{} and {} were added; {} were there already\n",
                        counted(static_cast<std::int64_t>(merged->runs.size()), "run"),
                        counted(merged->events, "event"), merged->known);
    if (!merged->runs.empty())
      text += fmt::format("`latest` is the run stored last: {}, begun {}\n", report::visible(latest),
                          report::visible(last->front().started));
  }
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

int run_store(const Arguments& arguments) {
  const std::string action = arguments.positional.empty() ? "check" : arguments.positional.front();
  if (action == "merge") return run_merge(arguments);
  const std::vector<std::string> known{"check", "prune", "migrate", "merge"};
  if (std::ranges::find(known, action) == known.end()) {
    const auto near = nearest(action, known);
    return fail(arguments, {ErrorCode::usage, "there is no `aisp store " + action + "`",
                            near.empty() ? "choose check, prune, migrate or merge"
                                         : "did you mean `aisp store " + near.front() + "`?"});
  }
  if (arguments.positional.size() > 1) {
    return fail(arguments,
                {ErrorCode::usage,
                 "`aisp store " + action + "` takes no file: '" + arguments.positional[1] + "' is too much",
                 "--store names the results file"});
  }
  if (action == "prune") return run_prune(arguments);
  return action == "migrate" ? run_migrate(arguments) : run_check(arguments);
}

}  // namespace

const Command kStore{
    .name = "store",
    .summary = "Checks, prunes, migrates or merges results files",
    .positional = "check|prune|migrate|merge [STORE...]",
    .flags = {{.name = "keep",
               .kind = FlagKind::integer,
               .help = "prune: keep the newest N runs",
               .value = "N",
               .high = 1e9},
              {.name = "older-than",
               .kind = FlagKind::text,
               .help = "prune: runs before this day",
               .value = "YYYY-MM-DD"},
              {.name = "dry-run", .kind = FlagKind::toggle, .help = "prune: only say what would go"}},
    .details =
        "check: verifies the hash chain, derives every verdict again from its raw samples, and every figure\n"
        "       that `aisp analyze` answers from; verdicts of another method (see the changelog) are\n"
        "       counted apart.\n"
        "prune: drops the contents of old runs, by when they began; the chain stays verifiable.\n"
        "migrate: brings the file to this version, imports its journal and mends its table of figures.\n"
        "merge STORE...: adds the runs of other stores, all of them or none. What is there already is left "
        "alone,\n"
        "       also when it is repeated; a run id that stands for other contents is refused by its name.",
    .run = run_store};

}  // namespace aisp::cli
