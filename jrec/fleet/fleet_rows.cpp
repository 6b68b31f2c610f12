// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_rows.h"

#include <algorithm>
#include <utility>

namespace jrec {
namespace {

using base::Status;
using Row = FleetSamples::Row;

enum RowColumn : size_t {
  kRecording,
  kTime,
  kEvent,
  kThread,
  kThreadId,
  kState,
  kWeight,
  kStack,
  kTop,
  kTrace,
  kSpan,
  kSpanName,
  kAttributes,
  kVersion,
};

const ParquetColumns kSampleColumns = {
    {"recording"},
    {"time", ParquetType::kTime},
    {"event"},
    {"thread", ParquetType::kText, true},
    {"thread_id", ParquetType::kLong, true},
    {"state", ParquetType::kText, true},
    {"weight", ParquetType::kLong},
    {"stack", ParquetType::kLong, true},
    {"top", ParquetType::kText, true},
    {"trace", ParquetType::kText, true},
    {"span", ParquetType::kText, true},
    {"span_name", ParquetType::kText, true},
    {"attributes", ParquetType::kText, true},
    {"version", ParquetType::kText, true},
};

// Texts of a chunk as places in a column, each looked up once. Text nullptr: null.
class TextPlaces {
 public:
  TextPlaces(ColumnValues& column, size_t count) : column_(column), places_(count, kUnknown) {}

  template <typename TextOf>
  void add(uint32_t text, TextOf text_of) {
    int64_t& place = places_[text];
    if (place == kUnknown) {
      const std::string* said = text_of(text);
      place = said == nullptr || said->empty() ? kNull : int64_t{column_.place_of(*said)};
    }
    if (place == kNull)
      column_.add_null();
    else
      column_.add(place);
  }

 private:
  static constexpr int64_t kUnknown = -2, kNull = -1;
  ColumnValues& column_;
  std::vector<int64_t> places_;
};

void put_text(ColumnValues& column, std::span<const Row> rows, uint32_t Row::*place, size_t count, auto text_of) {
  TextPlaces places(column, count);
  for (const Row& row : rows) places.add(row.*place, text_of);
}

void put_same(ColumnValues& column, size_t count, const std::string& text) {
  if (text.empty()) {
    for (size_t i = 0; i < count; ++i) column.add_null();
    return;
  }
  const uint32_t place = column.place_of(text);
  for (size_t i = 0; i < count; ++i) column.add(place);
}

void put_numbers(const FleetSamples& samples, std::span<const Row> rows, ParquetWriter& out, std::vector<bool>& used) {
  for (const Row& row : rows) {
    out.column(kTime).add(micros_of(row.time_ns));
    out.column(kWeight).add(row.weight);
    if (row.thread == 0)
      out.column(kThreadId).add_null();
    else
      out.column(kThreadId).add(samples.threads[row.thread].id);
    if (row.stack == 0)
      out.column(kStack).add_null();
    else
      out.column(kStack).add(samples.stacks[row.stack]);
    used[row.stack] = true;
  }
}

void put_contexts(const FleetSamples& samples, std::span<const Row> rows, ParquetWriter& out) {
  for (const auto& [column, member] : {std::pair{kTrace, &SampleContext::trace},
                                       {kSpan, &SampleContext::span},
                                       {kSpanName, &SampleContext::name},
                                       {kAttributes, &SampleContext::attributes}})
    put_text(out.column(column), rows, &Row::context, samples.contexts.size(),
             [&, of = member](uint32_t place) { return &(samples.contexts[place].*of); });
}

}  // namespace

FleetRows::FleetRows(FleetAppend& append, Partition partition, const FleetDays& days, std::string version)
    : recording_(append.id()),
      days_(days),
      version_(std::move(version)),
      files_(append, std::move(partition), "samples", kSampleColumns) {}

void FleetRows::put(const FleetSamples& samples, Rows rows, ParquetWriter& out, std::vector<bool>& used) {
  put_same(out.column(kRecording), rows.size(), recording_);
  put_same(out.column(kVersion), rows.size(), version_);
  put_numbers(samples, rows, out, used);
  put_text(out.column(kEvent), rows, &Row::event, samples.events.size(),
           [&](uint32_t place) { return &samples.events[place]; });
  put_text(out.column(kThread), rows, &Row::thread, samples.threads.size(),
           [&](uint32_t place) { return &samples.threads[place].name; });
  put_text(out.column(kState), rows, &Row::state, samples.states.size(),
           [&](uint32_t place) { return &samples.states[place]; });
  put_text(out.column(kTop), rows, &Row::stack, samples.stacks.size(), [&](uint32_t place) -> const std::string* {
    if (place == 0) return nullptr;
    const StoredStack& stack = *samples.store.find(samples.stacks[place]);
    return stack.frames.empty() ? nullptr : &samples.store.frame(stack.frames[0]).method;
  });
  put_contexts(samples, rows, out);
  out.end_rows(rows.size());
}

Status FleetRows::add(FleetSamples& samples, StacksUsed& stacks) {
  if (samples.malloc_interval != FleetSamples::kUntold) malloc_interval_ = samples.malloc_interval;
  if (samples.malloc_event != FleetSamples::kNoMalloc) samples.weigh_malloc(malloc_interval_);
  for (Rows left = samples.rows; !left.empty();) {
    const int64_t day = days_.of(left.front().time_ns);
    const auto end = std::ranges::find_if(left, [&](const Row& row) { return days_.of(row.time_ns) != day; });
    const auto count = static_cast<size_t>(end - left.begin());
    if (const Status added = add_day(samples, left.first(count), day, stacks); !added) return added;
    left = left.subspan(count);
  }
  // Rows that wait are of one day: the others' time is over, but for what took long.
  if (!samples.rows.empty()) files_.end_groups_but_of(days_.of(samples.rows.back().time_ns));
  return base::Done{};
}

Status FleetRows::add_day(const FleetSamples& samples, Rows rows, int64_t day, StacksUsed& stacks) {
  const auto out = files_.of(day);
  if (!out) return out.error();
  std::vector<bool> used(samples.stacks.size());
  rows_ += rows.size();
  while (!rows.empty()) {
    const size_t count = std::min(rows.size(), (*out)->rows_to_group_end());
    put(samples, rows.first(count), **out, used);
    rows = rows.subspan(count);
  }
  for (size_t place = 1; place < used.size(); ++place)
    if (used[place]) stacks.add(day, samples.stacks[place], samples.store);
  return base::Done{};
}

}  // namespace jrec
