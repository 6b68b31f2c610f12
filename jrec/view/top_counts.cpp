// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/top_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "jrec/values/loss_events.h"
#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"
#include "jrec/view/cell_reader.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

namespace {

struct SampleFields {
  FieldPath stack, thread, weight, failed;
};

SampleFields fields_of(const CellReader& cells, const Type& type) {
  const char* const thread = type.field("sampledThread") >= 0 ? "sampledThread" : "eventThread";
  const char* const weight = type.field("samples") >= 0 ? "samples" : "weight";
  return {cells.bind("stackTrace", type), cells.bind(thread, type), cells.bind(weight, type),
          cells.bind("failed", type)};
}

std::string name_of(const Cell& cell, const char* otherwise) { return cell.null() ? otherwise : cell.text; }

std::string start_text(const Chunk& chunk) {
  const int32_t utc_offset_s = checked_utc_offset_s(chunk.metadata().utc_offset_ms());
  std::string text;
  append_clock_time(floor_div(chunk.header().start_ns, kNanosPerSecond), 0, utc_offset_s, text);
  return text.substr(0, text.find('.'));
}

}  // namespace

void TopCounts::add(Chunk& chunk, const std::vector<Event>& events) {
  if (since_.empty()) since_ = start_text(chunk);
  CellReader cells(chunk, chunk.clock());
  std::map<uint64_t, SampleFields> bound;
  for (const Event& event : events) {
    const Type* type = chunk.type_of(event);
    if (type == nullptr) continue;
    if (is_counted(type->name)) {
      auto place = bound.find(event.type_id);
      if (place == bound.end()) place = bound.emplace(event.type_id, fields_of(cells, *type)).first;
      SampleFields& fields = place->second;
      if (cells.read(event, *type, fields.failed).integer != 0) continue;
      const Cell& weight = cells.read(event, *type, fields.weight);
      const uint64_t samples = weight.number() && weight.integer > 0 ? static_cast<uint64_t>(weight.integer) : 1;
      count(samples_, samples);
      count(methods_[name_of(cells.read(event, *type, fields.stack), "[no stack]")], samples);
      count(threads_[name_of(cells.read(event, *type, fields.thread), "[no thread]")], samples);
      continue;
    }
    ToldLoss loss;
    const bool of_samples = tells_of_losses(type->name) && type->name != "jdk.DataLoss";
    if (of_samples && read_loss(chunk, event, *type, loss) && loss.is_loss)
      count(losses_, static_cast<uint64_t>(std::max<int64_t>(loss.count, 0)));
  }
}

TopCounts::Sampler TopCounts::sampler_of(std::string_view type) {
  if (type == "jdk.ExecutionSample") return Sampler::kExecution;
  if (type == "jdk.CPUTimeSample") return Sampler::kCpuTime;
  return type == "profiler.WallClockSample" ? Sampler::kWall : Sampler::kNone;
}

// Two samplers of one program are not added up.
bool TopCounts::is_counted(std::string_view type) {
  const Sampler sampler = sampler_of(type);
  if (sampler == Sampler::kNone || sampler < sampler_) return false;
  if (std::exchange(sampler_, sampler) != sampler) samples_ = {}, methods_.clear(), threads_.clear();
  return true;
}

void TopCounts::next_window() {
  for (Table* table : {&methods_, &threads_})
    for (auto& [name, counts] : *table) counts.window = 0;
  samples_.window = losses_.window = 0;
}

TopCounts::Sorted TopCounts::sorted(const Table& table, size_t count, const Wanted& wanted) {
  Sorted all;
  for (const auto& [name, counts] : table)
    if (name.find(wanted.part) != std::string::npos) all.emplace_back(&name, counts);
  const size_t shown = std::min(count, all.size());
  const auto order = [&](const TopCount& of) {
    return wanted.by_total ? std::pair(of.total, of.window) : std::pair(of.window, of.total);
  };
  std::partial_sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(shown), all.end(),
                    [&](const auto& a, const auto& b) {
                      if (order(a.second) != order(b.second)) return order(a.second) > order(b.second);
                      return *a.first < *b.first;
                    });
  all.resize(shown);
  return all;
}

}  // namespace jrec
