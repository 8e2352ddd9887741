// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the questions of `aisp analyze` share: which results they are about, tables, and the answer where
/// there is none.
///
///   Result<Answer> ask_power(const Arguments& arguments, const FigureSource& source) {
///     const Result<Figures> figures = source(arguments);
///     ...
///     return Answer{.kind = "power", .body = json, .text = sheet.text(arguments)};
///   }
///
/// `aisp power` prints the answer, and the server sends the document of it.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aisp/analysis/contest.h"
#include "aisp/cli/command.h"
#include "aisp/core/figure.h"
#include "aisp/core/result.h"
#include "aisp/report/grid.h"
#include "aisp/store/figures.h"
#include "aisp/wire/json.h"

namespace aisp::cli {

/// Flags that every question has, and then its own.
std::vector<Flag> question_flags(std::vector<Flag> own);

/// Of those that list contests: how many.
Flag top_flag();

/// Of those that list lines: how many, of what `help` says.
Flag lines_flag(const char* help);

/// Beside either: how many come before the first that is shown. With both of them every one can be reached.
Flag offset_flag();

/// The part of a list that --offset and --top say.
template <class T>
void keep_page(std::vector<T>& list, const Arguments& arguments) {
  const auto offset = static_cast<std::size_t>(arguments.number("offset"));
  list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(offset, list.size())));
  const auto top = static_cast<std::size_t>(arguments.number("top"));
  if (list.size() > top) list.erase(list.begin() + static_cast<std::ptrdiff_t>(top), list.end());
}

/// Lines there were and lines that are left, over all tables of an answer.
class Lines {
 public:
  explicit Lines(const Arguments& arguments) : arguments_(arguments) {}
  /// Leaves the page that --offset and --top say, of each table.
  template <class T>
  void keep_shown(std::vector<T>& table) {
    total_ += table.size();
    keep_page(table, arguments_);
    shown_ += table.size();
  }
  std::size_t total() const { return total_; }
  std::string text() const;  ///< "20 of 57 lines; --top shows more, ...\n", or nothing where all are shown

 private:
  const Arguments& arguments_;
  std::size_t total_ = 0, shown_ = 0;
};

/// The page that --offset and --top say of the answers: those that could be told come first, the others
/// follow, each in the order they had.
template <class T, class Told>
std::vector<T> shown_first(const std::vector<T>& all, const Arguments& arguments, Told told) {
  std::vector<const T*> order;  // what is not shown is not copied
  for (const bool first : {true, false}) {
    for (const T& each : all)
      if (told(each) == first) order.push_back(&each);
  }
  keep_page(order, arguments);
  std::vector<T> shown;
  for (const T* each : order) shown.push_back(*each);
  return shown;
}

/// "20 of 5000 contests; --top shows more, ...\n", or nothing where all are shown.
std::string shown_text(std::size_t shown, std::size_t all);

/// The latest figures of the workloads and devices asked for; none where there is no store yet. A name that
/// matches nothing stored is an error.
using Figures = std::shared_ptr<const std::vector<Figure>>;
using FigureSource = std::function<Result<Figures>(const Arguments&)>;
/// The latest figures for questions: without the sides of two builds, which were measured against each other
/// alone.
Result<Figures> figures_to_compare(store::Store& store, const store::FigureQuery& query);
/// From the store that --store names, opened for it.
Result<Figures> chosen_figures(const Arguments& arguments);
/// What to look for in a store.
Result<store::FigureQuery> figure_query(store::Store& store, const Arguments& arguments);

class Sheet {
 public:
  explicit Sheet(std::vector<std::string> headers);
  void add(std::vector<report::GridCell> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  std::string text(const Arguments& arguments) const;

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<report::GridCell>> rows_;
};

/// "ch07/transpose n=1024, cuda:0 of NVIDIA H200": a line above a table.
std::string title_of(const analysis::Where& where);
/// "  left out: x (it is unproven), y (...)", or nothing.
std::string left_out_text(const std::vector<analysis::LeftOut>& left_out);

struct Answer {
  const char* kind;   ///< of the JSON document
  Json body;          ///< of it
  std::string text;   ///< for people; may be empty where --json was asked for
  std::string needs;  ///< not empty: nothing could be told, for want of this
};

using Ask = Result<Answer> (*)(const Arguments&, const FigureSource&);

/// Where nothing could be told because there are no results of the device asked for: of which there are.
Status name_devices(Answer& said, const Arguments& arguments, const FigureSource& source);

/// Asks over the stored figures and prints the answer. Exit code 9 where nothing could be told.
int answer(const Arguments& arguments, Ask ask);
/// The whole document, as --json prints it.
std::string document_of(const Answer& answer);

/// For `needs` where a store has nothing at all.
inline constexpr const char* kNeedsResults = "results: `aisp run` makes them";

}  // namespace aisp::cli
