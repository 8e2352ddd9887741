// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures_row.h"

#include <algorithm>
#include <cmath>

#include "aisp/store/dialect.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

/// Binds one column after the other.
class Writer {
 public:
  explicit Writer(Statement& statement) : statement_(statement) {}
  Writer& number(std::int64_t value) { return statement_.bind(++at_, value), *this; }
  Writer& text(std::string_view value) { return statement_.bind(++at_, value), *this; }
  Writer& real(std::optional<double> value) {
    if (value) return statement_.bind_real(++at_, *value), *this;
    return statement_.bind_null(++at_), *this;
  }
  Writer& estimate(const std::optional<Estimate>& value) {
    real(value ? std::optional(value->value) : std::nullopt);
    real(value ? std::optional(value->low) : std::nullopt);
    return real(value ? std::optional(value->high) : std::nullopt);
  }

 private:
  Statement& statement_;
  int at_ = 0;
};

/// Reads them back.
class Reader {
 public:
  explicit Reader(const Statement& statement) : statement_(statement) {}
  std::int64_t number() { return statement_.integer(at_++); }
  std::string text() { return statement_.text(at_++); }
  std::string_view view() { return statement_.view(at_++); }
  double plain() { return statement_.real(at_++); }
  std::optional<double> real() {
    const int column = at_++;
    return statement_.is_null(column) ? std::nullopt : std::optional(statement_.real(column));
  }
  std::optional<Estimate> estimate() {
    const int column = at_;
    at_ += 3;
    for (int i = column; i < at_; ++i) {
      if (statement_.is_null(i)) return std::nullopt;
    }
    return Estimate{statement_.real(column), statement_.real(column + 1), statement_.real(column + 2)};
  }
  template <class E>
  E named() {
    const std::string_view word = view();
    for (int i = 0; i < kEnumCount<E>; ++i) {
      if (name_of(static_cast<E>(i)) == word) return static_cast<E>(i);
    }
    throw Failure{{ErrorCode::store, "the table of figures holds '" + printable_utf8(word) + "'",
                   "`aisp store migrate` derives it again"}};
  }
  template <class E>
  std::optional<E> perhaps_named() {
    if (!statement_.is_null(at_)) return named<E>();
    ++at_;
    return std::nullopt;
  }

 private:
  const Statement& statement_;
  int at_ = 0;
};

/// SQLite has no NaN and stores NULL: what is no number is unknown, here and when it is read back.
void drop_nan(Figure& figure) {
  for (auto* estimate : {&figure.time_ns, &figure.figure, &figure.gain}) {
    if (*estimate && std::isnan((*estimate)->value + (*estimate)->low + (*estimate)->high)) estimate->reset();
  }
  for (auto* known : {&figure.peak_bytes, &figure.joules, &figure.joules_uncertainty, &figure.watts,
                      &figure.worst_error, &figure.percent_of_ceiling, &figure.traffic_bytes}) {
    if (*known && std::isnan(**known)) known->reset();
  }
  for (double* work : {&figure.bytes, &figure.flops, &figure.items}) {
    if (std::isnan(*work)) *work = 0;
  }
}

std::int64_t key_of(const Database& database, const Figure& figure) {
  const auto about = [&](Statement& statement) -> Statement& {
    Writer(statement)
        .text(figure.workload)
        .text(figure.hardware)
        .text(figure.device)
        .text(figure.parameters)
        .text(name_of(figure.cache))
        .text(figure.variant);
    return statement;
  };
  Statement known = database.prepare(
      "SELECT id FROM figure_keys WHERE workload = ?1 AND hardware = ?2 AND device = ?3 AND parameters = ?4 "
      "AND cache = ?5 AND variant = ?6");
  if (about(known).step()) return known.integer(0);
  Statement insert = database.prepare(
      "INSERT INTO figure_keys (workload, hardware, device, parameters, cache, variant) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id");
  about(insert).step();
  const std::int64_t id = insert.integer(0);
  insert.finish();
  return id;
}

}  // namespace

std::vector<Figure> figures_in(std::int64_t seq, const Event& event) {
  if (event.kind != kCellFinished || !event.payload) return {};
  const Result<Json> json = parse_json(*event.payload);
  if (!json) return {};
  const Result<CellResult> cell = from_json<CellResult>(*json);
  if (!cell) return {};
  std::vector<Figure> figures = figures_of(*cell);
  for (Figure& figure : figures) {
    figure.hardware = event.hardware;
    figure.run = event.run;
    figure.seq = seq;
    drop_nan(figure);
  }
  // One row for each name: a record from elsewhere may say one twice, and the first counts in a cell too.
  std::vector<Figure> distinct;
  for (Figure& figure : figures) {
    const auto same = [&](const Figure& other) { return other.variant == figure.variant; };
    if (std::ranges::none_of(distinct, same)) distinct.push_back(std::move(figure));
  }
  return distinct;
}

void insert_figure(const Database& database, const Figure& figure) {
  Statement insert = database.prepare(
      "INSERT INTO figures VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
      "?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31)");
  const std::int64_t key = key_of(database, figure);
  Writer writer(insert);
  writer.number(key).number(figure.seq).text(figure.run).text(figure.finished);
  writer.text(name_of(figure.goal)).text(name_of(figure.bound)).text(name_of(figure.rung));
  writer.number(figure.baseline ? 1 : 0).text(name_of(figure.validity));
  writer.estimate(figure.time_ns).estimate(figure.figure).estimate(figure.gain).text(figure.against);
  if (figure.outcome) {
    writer.text(name_of(*figure.outcome));
  } else {
    writer.real(std::nullopt);
  }
  writer.real(figure.peak_bytes).real(figure.joules).real(figure.joules_uncertainty).real(figure.watts);
  writer.real(figure.worst_error);
  writer.real(figure.percent_of_ceiling).text(figure.ceiling).real(figure.traffic_bytes);
  writer.real(figure.bytes).real(figure.flops).real(figure.items);
  insert.finish();
  refresh_latest(database, key);
}

std::string latest_of_history(Engine engine) {
  return "SELECT " AISP_FIGURE_KEY
         "CASE WHEN f.seq = (SELECT max(n.seq) FROM figures AS n WHERE n.key = k.id) THEN 1 ELSE 0 "
         "END, " AISP_FIGURE_COLUMNS
         " FROM figure_keys AS k JOIN figures AS f ON f.key = k.id AND f.seq = coalesce("
         "(SELECT max(v.seq) FROM figures AS v " +
         use_index(engine, "valid_figures") +
         " WHERE v.key = k.id AND v.validity = 'valid'), "
         "(SELECT max(n.seq) FROM figures AS n WHERE n.key = k.id))";
}

void refresh_latest(const Database& database, std::int64_t key) {
  Statement latest = database.prepare(
      "DELETE FROM latest_figures WHERE (workload, hardware, device, parameters, cache, variant) = "
      "(SELECT workload, hardware, device, parameters, cache, variant FROM figure_keys WHERE id = ?1)");
  latest.bind(1, key).finish();
  const bool any = database.prepare("SELECT 1 FROM figures WHERE key = ?1 LIMIT 1").bind(1, key).step();
  const std::string next =
      any ? "INSERT INTO latest_figures " + latest_of_history(database.engine()) + " WHERE k.id = ?1"
          : "DELETE FROM figure_keys WHERE id = ?1";
  database.prepare(next).bind(1, key).finish();
}

Figure read_figure(const Statement& row) {
  Reader read(row);
  Figure figure;
  figure.workload = read.text();
  figure.hardware = read.text();
  figure.device = read.text();
  figure.parameters = read.text();
  figure.cache = read.named<CacheMode>();
  figure.variant = read.text();
  figure.newest = read.number() != 0;
  figure.seq = read.number();
  figure.run = read.text();
  figure.finished = read.text();
  figure.goal = read.named<Goal>();
  figure.bound = read.named<Bound>();
  figure.rung = read.named<Rung>();
  figure.baseline = read.number() != 0;
  figure.validity = read.named<Validity>();
  figure.time_ns = read.estimate();
  figure.figure = read.estimate();
  figure.gain = read.estimate();
  figure.against = read.text();
  figure.outcome = read.perhaps_named<Outcome>();
  figure.peak_bytes = read.real();
  figure.joules = read.real();
  figure.joules_uncertainty = read.real();
  figure.watts = read.real();
  figure.worst_error = read.real();
  figure.percent_of_ceiling = read.real();
  figure.ceiling = read.text();
  figure.traffic_bytes = read.real();
  figure.bytes = read.plain();
  figure.flops = read.plain();
  figure.items = read.plain();
  return figure;
}

PastFigure read_past_figure(const Statement& row, KeptNames& runs) {
  Reader read(row);
  PastFigure past;
  past.seq = read.number();
  past.run = runs.keep(read.view());
  past.finished = read.text();
  past.goal = read.named<Goal>();
  past.validity = read.named<Validity>();
  past.figure = read.estimate();
  if (!past.figure) past.time_ns = read.estimate();
  return past;
}

}  // namespace aisp::store
