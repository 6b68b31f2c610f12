// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/view_rows.h"

#include <algorithm>
#include <cmath>

namespace jrec {

using jfr::read::Event;
using jfr::read::Type;

namespace {

// In the list between commas.
bool of_type(const Column& column, const Type& type) {
  if (column.type.empty()) return true;
  const std::string list = ',' + column.type + ',';
  return list.find(',' + std::string(type.name) + ',') != std::string::npos;
}

// Numbers and addresses of a JVM's own, and threads, of which each JVM has a "main".
bool is_of_one_jvm(const Column& column) {
  static constexpr std::string_view kFields[] = {"gcId",        "safepointId", "thread",
                                                 "eventThread", "address",     "classLoaderData"};
  return column.aggregate == Aggregate::kKey && std::ranges::find(kFields, column.field) != std::end(kFields);
}

}  // namespace

ViewRows::ViewRows(const View& view) : view_(view) {
  const auto has = [&](Aggregate aggregate) {
    return std::any_of(view_.columns.begin(), view_.columns.end(),
                       [&](const Column& column) { return column.aggregate == aggregate; });
  };
  grouped_ = has(Aggregate::kKey) || (view_.each_jvm && !has(Aggregate::kValue));
  per_event_ = !grouped_ && has(Aggregate::kValue);
  has_growth_ = has(Aggregate::kDiff);
  by_jvm_ = view_.each_jvm || std::any_of(view_.columns.begin(), view_.columns.end(), is_of_one_jvm);
}

bool ViewRows::takes(const Type& type) const {
  if (!type.event) return false;
  return view_.types.empty() || std::find(view_.types.begin(), view_.types.end(), type.name) != view_.types.end();
}

void ViewRows::begin(const CellReader& cells, const jfr::read::Chunk& chunk, uint32_t jvm,
                     const std::optional<WriterProcess>& writer) {
  jvm_ = jvm;
  if (writer) processes_.try_emplace(jvm, *writer);
  if (!utc_offset_s_) utc_offset_s_ = cells.utc_offset_s();
  plans_.clear();
  for (const Type& type : chunk.metadata().types()) plans_.push_back(takes(type) ? plan_for(cells, type) : nullptr);
}

std::unique_ptr<ViewRows::Plan> ViewRows::plan_for(const CellReader& cells, const Type& type) const {
  auto plan = std::make_unique<Plan>();
  plan->when = condition(cells, view_.when, type);
  for (const Column& column : view_.columns) {
    Bound bound;
    bound.path = cells.bind(column.field, type);
    bound.has_field = !column.field.empty();
    const bool there = !bound.has_field || bound.path.field >= 0 || column.field[0] == '@';
    bound.used = of_type(column, type) &&
                 (there || column.aggregate == Aggregate::kKey || column.aggregate == Aggregate::kValue);
    if (column.required && !there && of_type(column, type)) return nullptr;
    bound.when = condition(cells, column.when, type);
    plan->columns.push_back(std::move(bound));
  }
  return plan;
}

ViewRows::Condition ViewRows::condition(const CellReader& cells, const std::string& words, const Type& type) {
  Condition condition;
  const size_t sign = words.find('=');
  condition.any = sign == std::string::npos;
  if (condition.any) return condition;
  condition.equal = sign == 0 || words[sign - 1] != '!';
  condition.value = words.substr(sign + 1);
  condition.path = cells.bind(words.substr(0, condition.equal ? sign : sign - 1), type);
  return condition;
}

bool ViewRows::holds(CellReader& cells, const Event& event, const Type& type, Condition& when) {
  if (when.any) return true;
  const Cell& cell = cells.read(event, type, when.path);
  return (show(cell, 0) == when.value) == when.equal;
}

void ViewRows::add(CellReader& cells, const Event& event, uint32_t type_index) {
  Plan& plan = *plans_[type_index];
  const Type& type = cells.fields().chunk().metadata().types()[type_index];
  if (!holds(cells, event, type, plan.when)) return;
  ++events_;
  const int64_t at_ns = cells.end_ns(event, type);
  newest_ns_ = std::max(newest_ns_, at_ns);
  Row& row = row_of(cells, event, type, plan);
  row.last_ns = std::max(row.last_ns, at_ns);
  for (size_t i = 0; i < view_.columns.size(); ++i) {
    Bound& bound = plan.columns[i];
    const Aggregate aggregate = view_.columns[i].aggregate;
    if (!bound.used || aggregate == Aggregate::kKey || !holds(cells, event, type, bound.when)) continue;
    if (bound.has_field)
      row.tallies[i].add(aggregate, cells.read(event, type, bound.path), at_ns, jvm_);
    else
      row.tallies[i].count_event();
  }
  if (per_event_ && view_.limit != 0 && rows_.size() >= 2 * view_.limit + 1024) prune();
}

ViewRows::Row& ViewRows::row_of(CellReader& cells, const Event& event, const Type& type, Plan& plan) {
  const auto new_row = [&]() -> Row& {
    rows_.push_back(std::make_unique<Row>());
    rows_.back()->tallies.resize(view_.columns.size());
    rows_.back()->jvm = jvm_;
    return *rows_.back();
  };
  if (per_event_ || rows_.empty()) {
    if (!grouped_) return new_row();
  } else if (!grouped_) {
    return *rows_[0];
  }
  key_.assign(by_jvm_ ? 1 : 0, jvm_);
  for (size_t i = 0; i < view_.columns.size(); ++i)
    if (view_.columns[i].aggregate == Aggregate::kKey)
      key_.push_back(key_id(plan.columns[i], cells.read(event, type, plan.columns[i].path)));
  const auto [place, fresh] = by_key_.try_emplace(key_, rows_.size());
  if (!fresh) return *rows_[place->second];
  Row& row = new_row();
  for (size_t i = 0; i < view_.columns.size(); ++i)
    if (view_.columns[i].aggregate == Aggregate::kKey)
      row.tallies[i].add(Aggregate::kKey, cells.read(event, type, plan.columns[i].path), 0);
  return row;
}

uint32_t ViewRows::key_id(Bound& bound, const Cell& cell) {
  const uint32_t place = bound.path.place;
  const bool constant = place != FieldPath::kNowhere;
  if (constant && place < bound.key_ids.size() && bound.key_ids[place] != kNoId) return bound.key_ids[place];
  const uint32_t id = ids_.try_emplace(cell.identity(), static_cast<uint32_t>(ids_.size())).first->second;
  if (constant) {
    if (place >= bound.key_ids.size()) bound.key_ids.resize(place + 1, kNoId);
    bound.key_ids[place] = id;
  }
  return id;
}

bool ViewRows::before(const Row& a, const Row& b) const {
  if (view_.order == kNoOrder) return false;
  const auto column = static_cast<size_t>(view_.order);
  const Cell left = a.tallies[column].result(view_.columns[column].aggregate);
  const Cell right = b.tallies[column].result(view_.columns[column].aggregate);
  return view_.ascending ? left < right : right < left;
}

// Rows that are one event each and are behind the limit already cannot come back.
void ViewRows::prune() {
  std::stable_sort(rows_.begin(), rows_.end(), [&](const auto& a, const auto& b) { return before(*a, *b); });
  pruned_ += rows_.size() - view_.limit;
  rows_.resize(view_.limit);
}

void ViewRows::drop_old() {
  std::erase_if(rows_, [&](const auto& row) { return row->last_ns != newest_ns_; });
}

// Where the recording is of several, whether all of them have rows or not.
bool ViewRows::names_jvms() const {
  const auto is_other = [&](const auto& row) { return row->jvm != rows_[0]->jvm; };
  const bool is_of_several = std::any_of(processes_.begin(), processes_.end(), [&](const auto& process) {
    return process.first != processes_.begin()->first && !are_of_one_jvm(process.second, processes_.begin()->second);
  });
  return view_.each_jvm && (is_of_several || std::any_of(rows_.begin(), rows_.end(), is_other));
}

// Those of which there is nothing to tell: nobody is to take the others for all.
std::vector<uint32_t> ViewRows::jvms_without_rows() const {
  std::vector<uint32_t> without;
  if (!names_jvms() || !view_.form || rows_.empty()) return without;
  for (const auto& one : processes_) {
    const auto tells_of_it = [&](const auto& row) {
      const auto other = processes_.find(row->jvm);
      return row->jvm == one.first || (other != processes_.end() && are_of_one_jvm(one.second, other->second));
    };
    if (std::none_of(rows_.begin(), rows_.end(), tells_of_it)) without.push_back(one.first);
  }
  return without;
}

std::vector<Cell> ViewRows::process_cells(uint32_t jvm) const {
  const auto process = processes_.find(jvm);
  if (process == processes_.end()) return {{}, {}};
  return {Cell::of(process->second.pid), Cell::of(Whole{process->second.start_ms} * 1'000'000, Content::kTime)};
}

void ViewRows::fill_shares(std::vector<std::vector<Cell>>& rows) const {
  for (size_t i = 0; i < view_.columns.size(); ++i) {
    const Aggregate aggregate = view_.columns[i].aggregate;
    if (aggregate != Aggregate::kShareOfSum && aggregate != Aggregate::kShareOfLast &&
        aggregate != Aggregate::kShareOfCount)
      continue;
    WideReal whole = 0;
    for (const auto& row : rows) whole += row[i].as_real();
    for (auto& row : rows) {
      const WideReal share = whole == 0 ? 0 : row[i].as_real() / whole;
      row[i] = Cell::of_real(static_cast<double>(share), Content::kShare);
    }
  }
}

Rows ViewRows::finish() {
  if (view_.newest) drop_old();
  std::stable_sort(rows_.begin(), rows_.end(), [&](const auto& a, const auto& b) { return before(*a, *b); });
  const bool has_names = names_jvms();
  std::vector<std::vector<Cell>> all, names;
  for (const auto& row : rows_) {
    std::vector<Cell> cells;
    bool whole = true;
    for (size_t i = 0; i < view_.columns.size(); ++i) {
      cells.push_back(row->tallies[i].result(view_.columns[i].aggregate));
      whole &= !(view_.columns[i].required && cells.back().null());
    }
    if (!whole) continue;
    all.push_back(std::move(cells));
    names.push_back(has_names ? process_cells(row->jvm) : std::vector<Cell>());
  }
  for (const uint32_t jvm : jvms_without_rows()) {
    all.emplace_back(view_.columns.size());
    names.push_back(process_cells(jvm));
  }
  rows_.clear();
  fill_shares(all);
  Rows result;
  result.utc_offset_s = utc_offset_s_.value_or(0);
  result.left_out = pruned_;
  if (view_.limit != 0 && all.size() > view_.limit) {
    result.left_out += all.size() - view_.limit;
    all.resize(view_.limit);
  }
  if (has_names) result.columns = {{"PID", Aggregate::kKey, "pid"}, {"VM Start", Aggregate::kKey, "jvmStartTime"}};
  for (const Column& column : view_.columns)
    if (!column.caption.empty()) result.columns.push_back(column);
  for (size_t at = 0; at < all.size(); ++at) {
    std::vector<Cell>& shown = names[at];
    for (size_t i = 0; i < view_.columns.size(); ++i)
      if (!view_.columns[i].caption.empty()) shown.push_back(std::move(all[at][i]));
    result.rows.push_back(std::move(shown));
  }
  return result;
}

}  // namespace jrec
