// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "jrec/profile/sample_kind.h"
#include "jrec/safepoints/enabled_type.h"
#include "jrec/safepoints/event_fields.h"
#include "jrec/safepoints/watch_settings.h"
#include "jrec/values/recorder.h"

namespace jrec {
namespace {

// What is done with the events of one type of a chunk.
struct Taken {
  std::unique_ptr<EventCells> cells;  // null: nothing
  std::vector<const Gatherer*> by;
  bool seen = false;  // an event of it
};

std::vector<Taken> takers_of(const jfr::read::Metadata& metadata, CellReader& reader, const TimeRange& shown) {
  std::vector<Taken> all(metadata.types().size());
  for (const auto gatherers :
       {collection_gatherers(), waiting_gatherers(), vm_gatherers(), thread_gatherers(), process_gatherers()})
    for (const Gatherer& gatherer : gatherers) {
      const uint32_t index = metadata.index_of(gatherer.type);
      if (index == jfr::read::kNoType || !metadata.types()[index].decodable()) continue;
      if (!all[index].cells) all[index].cells = std::make_unique<EventCells>(reader, metadata.types()[index], shown);
      all[index].by.push_back(&gatherer);
    }
  return all;
}

bool is_of_cpu(std::string_view type) {
  static const SampleKind::Types kTypes = sample_kind("cpu").all_types();
  return std::ranges::find(kTypes, type) != kTypes.end();
}

// Which of the types that are asked for, and of those of samples of CPU time, the recording says it records.
void note_setting(const jfr::read::Metadata& metadata, const std::vector<Taken>& taken, EventFields& fields,
                  Facts& facts) {
  const std::string_view name = enabled_type(metadata, fields);
  const uint32_t index = metadata.index_of(name);
  if (index == jfr::read::kNoType) return;
  if (taken[index].cells || is_of_cpu(name)) facts.recorded.emplace(name);
}

}  // namespace

void gather_events(jfr::read::Chunk& chunk, const Filter& filter, Facts& facts) {
  CellReader reader(chunk, chunk.clock());
  const Filter lasting = filter.at_any_time();
  ChunkFilter wanted(filter, chunk, chunk.clock()), at_any_time(lasting, chunk, chunk.clock());
  WatchSettings watch;
  const std::optional<WriterProcess> writer = writer_of(chunk);
  facts.jvm = facts.jvms.of(writer);
  facts.is_of_rec = recorder_of(chunk.metadata()) == Recorder::kRec;
  if (facts.is_of_rec) facts.recorded.emplace(kAlwaysOfRec);
  facts.machine.empty_loads.begin(reader, facts.jvm);
  facts.stalls.begin(facts.jvm);
  const int64_t start_ns = chunk.header().start_ns;
  if (filter.range().holds(start_ns) && begins_with(writer, chunk)) {
    facts.vm.throwables.look(facts.jvm, start_ns, 0);
    facts.vm.has_first_throwables = true;
  }
  std::vector<Taken> taken = takers_of(chunk.metadata(), reader, filter.range());
  auto walk = chunk.events();
  for (jfr::read::Event event; walk.next(event);) {
    const uint32_t index = chunk.metadata().index_of(event.type_id);
    if (event.type_id <= jfr::kCheckpointType || index == jfr::read::kNoType) continue;
    const jfr::read::Type& type = chunk.metadata().types()[index];
    const bool of_rec = type.name.starts_with("rec."), setting = type.name == kSettingEvent;
    if (!taken[index].cells && !of_rec && !setting) continue;
    if (taken[index].cells && !taken[index].seen) {
      taken[index].seen = true;
      facts.seen.emplace(type.name);
    }
    const bool in_time = wanted.matches(event, type);
    const auto is_wanted = [&](Gatherer::Time time, EventCells& cells) {
      if (in_time || time == Gatherer::Time::kAny) return true;
      return time == Gatherer::Time::kLasts && cells.is_shown() && at_any_time.matches(event, type);
    };
    for (const Gatherer* gatherer : taken[index].by) {
      taken[index].cells->at(event);
      if (is_wanted(gatherer->time, *taken[index].cells)) gatherer->take(*taken[index].cells, facts);
    }
    if (!of_rec && !setting) continue;
    EventFields fields(chunk, event, type);
    if (setting) note_setting(chunk.metadata(), taken, fields, facts);
    if (in_time) facts.stalls.take(type.name, fields);
    watch.take(chunk, type.name, fields);
  }
  if (!watch.threshold().empty()) facts.safepoint_threshold = watch.threshold();
}

}  // namespace jrec
