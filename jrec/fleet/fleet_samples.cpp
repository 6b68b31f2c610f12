// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_samples.h"

#include <algorithm>
#include <optional>

#include "format/reader/key_table.h"
#include "format/reader/values.h"
#include "jrec/profile/leaked_memory.h"
#include "jrec/profile/malloc_weight.h"
#include "jrec/profile/plain_field.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/values/field_time.h"
#include "jrec/view/cell_reader.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Type;
using Row = FleetSamples::Row;

// Which fields of a type say what, and what was read of them.
struct Layout {
  const Type* type = nullptr;
  int time = -1, thread = -1, state = -1, weight = -1, stack = -1, last = -1;
  bool spans = false, of_malloc = false;
  uint32_t event = 0;
  FieldPath thread_path, state_path;
};

// Types that are the same for all events: the key of a constant is enough to know it again.
class ConstantPlaces {
 public:
  // Reads a constant at its first time. Place 0: it is null, or missing.
  template <typename Add>
  uint32_t of(uint32_t type, uint64_t key, Add add) {
    const auto found = places_.find_or_add({type, key});
    if (found.is_new) {
      const uint32_t place = add();
      return places_.find_or_add({type, key}).value = place;
    }
    return found.value;
  }

 private:
  jfr::read::KeyTable<uint32_t, ConstantKey, SampleKeyHash> places_;
};

class SamplesOfChunk {
 public:
  explicit SamplesOfChunk(Chunk& chunk)
      : chunk_(chunk), reader_(chunk, chunk.clock()), stacks_(chunk, samples_.store), contexts_(chunk) {
    samples_.threads.emplace_back();
    samples_.states.emplace_back();
    samples_.stacks.push_back(0);
    samples_.contexts.emplace_back();
    samples_.contexts.insert(samples_.contexts.end(), contexts_.all().begin(), contexts_.all().end());
  }

  FleetSamples read() {
    find_layouts();
    auto walk = chunk_.events();
    for (Event event; walk.next(event);) {
      const uint32_t* place = by_type_.find(event.type_id);
      if (place != nullptr) read_event(event, layouts_[*place]);
    }
    const auto by_time = [](const Row& a, const Row& b) { return a.time_ns < b.time_ns; };
    if (!std::ranges::is_sorted(samples_.rows, by_time)) std::ranges::stable_sort(samples_.rows, by_time);
    if (samples_.malloc_event != FleetSamples::kNoMalloc)
      samples_.malloc_interval = malloc_interval(chunk_, FleetSamples::kUntold);
    return std::move(samples_);
  }

 private:
  void find_layouts() {
    for (const Type& type : chunk_.metadata().types()) {
      Layout layout;
      layout.stack = constant_field(type, "stackTrace");
      if (!type.event || !type.decodable() || layout.stack < 0 || !is_sample_type(type.name)) continue;
      layout.type = &type;
      layout.time = integer_field(type, "startTime");
      layout.thread = constant_field(type, thread_field(type));
      layout.state = constant_field(type, "state");
      const WeightField weight = weight_field(type.name);
      layout.weight = integer_field(type, weight.name);
      layout.spans = weight.is_duration;
      layout.last = std::max({layout.time, layout.thread, layout.state, layout.weight, layout.stack});
      layout.event = static_cast<uint32_t>(samples_.events.size());
      layout.thread_path = reader_.bind(thread_field(type), type);
      layout.state_path = reader_.bind("state", type);
      layout.of_malloc = type.name == kMallocType;
      samples_.events.emplace_back(type.name);
      by_type_.find_or_add(type.id).value = static_cast<uint32_t>(layouts_.size());
      layouts_.push_back(std::move(layout));
    }
  }

  void read_event(const Event& event, Layout& layout) {
    Cursor in = chunk_.body(event);
    int64_t time = 0, weight = 1;
    uint64_t thread = 0, state = 0, stack = 0;
    for (int i = 0; i <= layout.last; ++i) {
      const Field& field = layout.type->fields[static_cast<size_t>(i)];
      if (i == layout.time)
        time = read_integer(in, field.kind);
      else if (i == layout.thread)
        thread = in.leb();
      else if (i == layout.state)
        state = in.leb();
      else if (i == layout.weight)
        weight = read_integer(in, field.kind);
      else if (i == layout.stack)
        stack = in.leb();
      else
        skip_field(in, chunk_.metadata(), field);
    }
    if (!in.ok()) return;  // find_flaws tells of it
    Row row;
    row.event = layout.event;
    row.time_ns = time_of(layout, time);
    row.weight = layout.spans && layout.weight >= 0 ? chunk_.clock().nearest_span_ns(weight) : weight;
    if (layout.thread >= 0) row.thread = place_of_thread(event, layout, thread);
    if (layout.state >= 0) row.state = place_of_state(event, layout, state);
    row.stack = place_of_stack(stack);
    if (layout.time >= 0 && layout.thread >= 0)
      row.context = static_cast<uint32_t>(contexts_.place_of(thread, time) + 1);
    if (layout.of_malloc) samples_.malloc_event = layout.event;
    samples_.rows.push_back(row);
  }

  int64_t time_of(const Layout& layout, int64_t time) const {
    if (layout.time < 0) return chunk_.header().start_ns;
    const jfr::read::Meaning meaning = layout.type->fields[static_cast<size_t>(layout.time)].meaning;
    if (meaning != jfr::read::Meaning::kTimestampMillis) return chunk_.clock().unix_ns(time);
    return FieldTime(chunk_.clock(), 0).nanos(time, meaning);
  }

  uint32_t place_of_thread(const Event& event, Layout& layout, uint64_t key) {
    return threads_.of(layout.type->fields[static_cast<size_t>(layout.thread)].type, key, [&]() -> uint32_t {
      const Cell& cell = reader_.read(event, *layout.type, layout.thread_path);
      if (cell.null()) return 0;
      samples_.threads.push_back({cell.text, held_in_long(cell.integer)});
      return static_cast<uint32_t>(samples_.threads.size() - 1);
    });
  }

  uint32_t place_of_state(const Event& event, Layout& layout, uint64_t key) {
    return states_.of(layout.type->fields[static_cast<size_t>(layout.state)].type, key, [&]() -> uint32_t {
      const Cell& cell = reader_.read(event, *layout.type, layout.state_path);
      if (cell.kind != Cell::Kind::kText) return 0;
      samples_.states.push_back(cell.text);
      return static_cast<uint32_t>(samples_.states.size() - 1);
    });
  }

  uint32_t place_of_stack(uint64_t key) {
    const auto found = stack_places_.find_or_add(key);
    if (!found.is_new) return found.value;
    const int64_t number = stacks_.number(key);
    if (number == 0) return 0;
    samples_.stacks.push_back(number);
    return found.value = static_cast<uint32_t>(samples_.stacks.size() - 1);
  }

  Chunk& chunk_;
  FleetSamples samples_;
  CellReader reader_;
  ChunkStacks stacks_;
  ChunkContexts contexts_;
  std::vector<Layout> layouts_;
  jfr::read::KeyTable<uint32_t> by_type_;  // the type's id -> place in layouts_
  ConstantPlaces threads_, states_;
  jfr::read::KeyTable<uint32_t> stack_places_;
};

}  // namespace

void FleetSamples::weigh_malloc(uint64_t interval) {
  for (Row& row : rows)
    if (row.event == malloc_event)
      row.weight = static_cast<int64_t>(malloc_weight(static_cast<uint64_t>(row.weight), interval));
}

FleetSamples read_fleet_samples(Chunk& chunk) { return SamplesOfChunk(chunk).read(); }

}  // namespace jrec
