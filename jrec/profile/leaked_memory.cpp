// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/leaked_memory.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "format/reader/values.h"
#include "jrec/profile/plain_field.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Type;

// An event type with an address and a time; nothing: the chunk has none.
struct Layout {
  const Type* type = nullptr;
  int time = -1, address = -1;

  Layout(const Chunk& chunk, std::string_view name) {
    const Type* const found = chunk.metadata().find(name);
    if (found == nullptr || !found->decodable()) return;
    time = integer_field(*found, "startTime");
    address = integer_field(*found, "address");
    if (time >= 0 && address >= 0) type = found;
  }
  bool is_of(const Event& event) const { return type != nullptr && type->id == event.type_id; }
};

bool read(Chunk& chunk, const Event& event, const Layout& layout, MemoryEvent& out) {
  Cursor in = chunk.body(event);
  for (int i = 0; i <= std::max(layout.time, layout.address); ++i) {
    const Field& field = layout.type->fields[static_cast<size_t>(i)];
    if (i == layout.time)
      out.ticks = read_integer(in, field.kind);
    else if (i == layout.address)
      out.address = static_cast<uint64_t>(read_integer(in, field.kind));
    else
      skip_field(in, chunk.metadata(), field);
  }
  return in.ok();
}

bool before(const MemoryEvent& a, const MemoryEvent& b) {
  return std::tie(a.address, a.ticks) < std::tie(b.address, b.ticks);
}

bool before_in_jvm(const MemoryEvent& a, const MemoryEvent& b) { return a.jvm != b.jvm ? a.jvm < b.jvm : before(a, b); }

// By the header, whose duration is 0 or less where nobody has written it.
TickSpan span_of(const jfr::read::ChunkHeader& header) {
  constexpr double kNanosPerSecond = 1e9;
  const auto begin = static_cast<double>(header.start_ticks);
  const double ticks = static_cast<double>(std::max<int64_t>(header.duration_ns, 0)) / kNanosPerSecond *
                       static_cast<double>(header.ticks_per_second);
  constexpr double kMost = 9e18;  // fits
  return {header.start_ticks, static_cast<int64_t>(std::clamp(begin + ticks, -kMost, kMost))};
}

// events: of one JVM, by address. span: of the JVM, and of them.
void add_leaked(std::span<const MemoryEvent> events, const TickSpan& span, double tail,
                std::vector<MemoryEvent>& leaked) {
  const double length = static_cast<double>(span.last) - static_cast<double>(span.first);
  const double young = static_cast<double>(span.last) - length * tail;
  for (size_t i = 0; i < events.size(); ++i) {
    const bool is_last = i + 1 == events.size() || events[i + 1].address != events[i].address;
    const bool is_young = tail > 0 && static_cast<double>(events[i].ticks) > young;
    if (is_last && !events[i].is_free && !is_young) leaked.push_back(events[i]);
  }
}

}  // namespace

ChunkMemory memory_events(Chunk& chunk) {
  ChunkMemory all;
  const Layout allocation(chunk, kMallocType), end(chunk, "profiler.Free");
  if (allocation.type == nullptr) return all;
  all.writer = writer_of(chunk);
  all.span = span_of(chunk.header());
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    MemoryEvent one{.is_free = end.is_of(event)};
    if (!one.is_free && !allocation.is_of(event)) continue;
    if (read(chunk, event, one.is_free ? end : allocation, one)) all.events.push_back(one);
  }
  return all;
}

void LeakedMemory::note(const ChunkMemory& chunk) {
  const uint32_t jvm = jvms_.of(chunk.writer);
  if (spans_.size() <= jvm) spans_.resize(jvm + 1);
  spans_[jvm].add(chunk.span);
  for (const MemoryEvent& event : chunk.events) {
    events_.push_back(event);
    events_.back().jvm = jvm;
    spans_[jvm].add({event.ticks, event.ticks});
  }
}

void LeakedMemory::settle(double tail) {
  std::ranges::stable_sort(events_, before_in_jvm);
  std::vector<MemoryEvent> leaked;
  for (size_t i = 0; i < events_.size();) {
    size_t end = i;
    while (end < events_.size() && events_[end].jvm == events_[i].jvm) ++end;
    const std::span<const MemoryEvent> of_jvm(events_.data() + i, end - i);
    add_leaked(of_jvm, spans_[of_jvm.front().jvm], tail, leaked);
    i = end;
  }
  events_ = std::move(leaked);
  std::ranges::stable_sort(events_, before);
}

bool LeakedMemory::has(uint64_t address, int64_t ticks) const {
  return std::ranges::binary_search(events_, MemoryEvent{address, ticks}, before);
}

}  // namespace jrec
