// SPDX-License-Identifier: Apache-2.0
// samples: every event that has a stack, whatever its type.
#include <unordered_map>
#include <utility>

#include "format/reader/values.h"
#include "jrec/profile/leaked_memory.h"
#include "jrec/profile/malloc_weight.h"
#include "jrec/profile/sample_choice.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/select/chunk_contexts.h"
#include "jrec/sql/chunk_rows.h"
#include "jrec/sql/sql_tables.h"
#include "jrec/view/cell_reader.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;
using Key = SqlColumn::Key;

enum SampleColumn : size_t {
  kRecording,
  kTime,
  kEvent,
  kThread,
  kThreadId,
  kState,
  kIsCpu,
  kWeight,
  kStack,
  kTop,
  kTrace,
  kSpan,
  kSpanName,
  kAttributes
};

class SampleRows : public ChunkRows {
 public:
  using ChunkRows::ChunkRows;

  Cell column(size_t index) override {
    switch (index) {
      case kRecording: return Cell::of(int64_t{recording()} + 1);
      case kTime: return read(layout_->time);
      case kEvent: return Cell::of_text(std::string(layout_->type->name));
      case kThread: return read(layout_->thread);
      case kThreadId: return thread_id();
      case kState: return read(layout_->state);
      case kIsCpu: return Cell::of(int64_t{is_cpu()});
      case kWeight: return weight();
      case kStack: return stack();
      case kTop: return top();
      case kTrace: return context(&SampleContext::trace);
      case kSpan: return context(&SampleContext::span);
      case kSpanName: return context(&SampleContext::name);
      default: return context(&SampleContext::attributes);
    }
  }

 protected:
  void enter(Chunk& chunk) override {
    chunk_ = &chunk;
    walk_.emplace(chunk.events());
    reader_.emplace(chunk, chunk.clock());
    stacks_.emplace(chunk, world().stacks);
    layouts_.clear();
    knows_interval_ = false;
    cpu_type_.clear();
    contexts_.reset();
    for (const Type& type : chunk.metadata().types()) {
      const int stack = type.field("stackTrace");
      if (!type.event || !type.decodable() || stack < 0 || !is_sample_type(type.name) ||
          (wanted().event && *wanted().event != type.name))
        continue;
      layouts_.emplace(type.id,
                       Layout{&type, reader_->bind("startTime", type), reader_->bind(thread_field(type), type),
                              reader_->bind("state", type), reader_->bind(weight_field(type.name).name, type), stack});
    }
  }
  bool next_in_chunk() override {
    while (walk_->next(event_)) {
      const auto found = layouts_.find(event_.type_id);
      if (found == layouts_.end()) continue;
      layout_ = &found->second;
      return true;
    }
    return false;
  }

 private:
  struct Layout {
    const Type* type;
    FieldPath time, thread, state, weight;
    int stack;
  };

  Cell read(FieldPath& path) { return path.field < 0 ? Cell() : reader_->read(event_, *layout_->type, path); }
  // As jrec collapsed sums it (sample_reader.h), which leaves out samples that weigh less than nothing.
  Cell weight() {
    const int field = layout_->weight.field;
    if (field < 0) return Cell::of(1);
    const Cell weight = weight_of(field);
    return weight.integer < 0 ? Cell() : weight;
  }
  Cell weight_of(int field) {
    if (layout_->type->name == kMallocType) return bytes_behind(field);
    if (!weight_field(layout_->type->name).is_duration) return read(layout_->weight);
    return Cell::of(chunk_->clock().nearest_span_ns(integer(field)));
  }
  // Whether the commands take it for a sample of CPU time: a JVM may have two samplers (sample_choice.h).
  bool is_cpu() {
    if (cpu_type_.empty()) {
      const ChosenSamples cpu = chosen_samples(sample_kind("cpu"));
      cpu_type_ = chosen_in(*chunk_, {&cpu, 1}).front().event_type;
    }
    return layout_->type->name == cpu_type_;
  }
  int64_t integer(int field) {
    jfr::read::Cursor in = chunk_->field(event_, *layout_->type, field);
    return read_integer(in, layout_->type->fields[static_cast<size_t>(field)].kind);
  }
  Cell bytes_behind(int field) {
    if (!std::exchange(knows_interval_, true)) malloc_interval_ = malloc_interval(*chunk_, malloc_interval_);
    return Cell::of(static_cast<int64_t>(malloc_weight(static_cast<uint64_t>(integer(field)), malloc_interval_)));
  }
  Cell thread_id() {
    const Cell thread = read(layout_->thread);
    return thread.null() ? Cell() : Cell::of(thread.integer);
  }
  // Of a chunk they are looked for when somebody asks.
  Cell context(std::string SampleContext::*id) {
    if (!contexts_) contexts_.emplace(*chunk_);
    if (layout_->time.field < 0 || layout_->thread.field < 0) return {};
    const uint64_t thread = chunk_->field(event_, *layout_->type, layout_->thread.field).leb();
    const SampleContext* const known = contexts_->of(thread, integer(layout_->time.field));
    return known == nullptr || (known->*id).empty() ? Cell() : Cell::of_text(known->*id);
  }
  int64_t number() { return stacks_->number(chunk_->field(event_, *layout_->type, layout_->stack).leb()); }
  Cell stack() {
    const int64_t stack = number();
    return stack == 0 ? Cell() : Cell::of(stack);
  }
  Cell top() {
    const int64_t stack = number();
    return stack == 0 ? Cell() : Cell::of_text(world().stacks.top(stack));
  }

  Chunk* chunk_ = nullptr;
  std::optional<jfr::read::EventWalk> walk_;
  std::optional<CellReader> reader_;
  std::optional<ChunkStacks> stacks_;
  std::unordered_map<uint64_t, Layout> layouts_;  // by the type's id
  Layout* layout_ = nullptr;
  std::optional<ChunkContexts> contexts_;
  uint64_t malloc_interval_ = 0;  // of the chunk, once that was asked for; of the one before, if it does not tell
  bool knows_interval_ = false;
  std::string cpu_type_;  // of the chunk, once that was asked for
  Event event_;
};

}  // namespace

std::unique_ptr<SqlTable> make_samples_table(SqlWorld& world) {
  return std::make_unique<WorldTable<SampleRows>>(world, "samples",
                                                  std::vector<SqlColumn>{{"recording", "INTEGER", Key::kRecording},
                                                                         {"time_ns", "INTEGER", Key::kTime},
                                                                         {"event", "TEXT", Key::kEvent},
                                                                         {"thread", "TEXT"},
                                                                         {"thread_id", "INTEGER"},
                                                                         {"state", "TEXT"},
                                                                         {"is_cpu", "INTEGER"},
                                                                         {"weight", "INTEGER"},
                                                                         {"stack", "INTEGER"},
                                                                         {"top", "TEXT"},
                                                                         {"trace", "TEXT"},
                                                                         {"span", "TEXT"},
                                                                         {"span_name", "TEXT"},
                                                                         {"attributes", "TEXT"}});
}

}  // namespace jrec
