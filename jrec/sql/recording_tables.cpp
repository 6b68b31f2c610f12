// SPDX-License-Identifier: Apache-2.0
// recordings, chunks, event_types: what there is.
#include <map>

#include "jrec/sql/chunk_rows.h"
#include "jrec/sql/sql_tables.h"
#include "jrec/values/loss_events.h"
#include "jrec/view/cell_reader.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using Key = SqlColumn::Key;

Cell text_or_null(std::string text) { return text.empty() ? Cell() : Cell::of_text(std::move(text)); }

class RecordingRows : public SqlRows {
 public:
  RecordingRows(const SqlWorld& world, const SqlWanted&) : source_(world.source) {}

  bool next() override { return at_++ < source_.recordings().size(); }
  Cell column(size_t index) override {
    const SqlRecording& row = source_.recordings()[at_ - 1];
    switch (index) {
      case 0: return Cell::of(static_cast<int64_t>(at_));
      case 1: return Cell::of_text(row.name);
      case 2: return Cell::of_text(row.file);
      case 3: return text_or_null(row.label("service"));
      case 4: return text_or_null(row.label("host"));
      case 5: return text_or_null(row.label("env"));
      case 6: return all_labels(row);
      case 7: return Cell::of(row.start_ns);
      case 8: return Cell::of(row.end_ns);
      case 9: return Cell::of(static_cast<int64_t>(row.chunks));
      default: return Cell::of(static_cast<int64_t>(row.bytes));
    }
  }

 private:
  static Cell all_labels(const SqlRecording& row) {
    std::string all;
    for (const std::string& label : row.labels) all += (all.empty() ? "" : ",") + label;
    return text_or_null(std::move(all));
  }
  const ChunkSource& source_;
  size_t at_ = 0;
};

class ChunksRows : public SqlRows {
 public:
  ChunksRows(const SqlWorld& world, const SqlWanted&) : source_(world.source) {}

  bool next() override { return at_++ < source_.chunks().size(); }
  Cell column(size_t index) override {
    const SqlChunk& row = source_.chunks()[at_ - 1];
    if (index == 0) return Cell::of(int64_t{row.recording} + 1);
    return Cell::of(index == 1 ? row.start_ns : row.end_ns);
  }

 private:
  const ChunkSource& source_;
  size_t at_ = 0;
};

// The types of each chunk, counted; a type of several chunks has several rows.
class EventTypeRows : public ChunkRows {
 public:
  using ChunkRows::ChunkRows;

  Cell column(size_t index) override {
    const Row& row = rows_[at_ - 1];
    switch (index) {
      case 0: return Cell::of(int64_t{recording()} + 1);
      case 1: return Cell::of_text(row.type);
      case 2: return Cell::of_text(event_table_names(world()).of(row.type));
      case 3: return Cell::of_text(row.label);
      case 4: return Cell::of(row.events);
      default: return Cell::of(row.bytes);
    }
  }

 protected:
  void enter(Chunk& chunk) override {
    std::map<uint64_t, Row> counted;
    auto walk = chunk.events();
    for (Event event; walk.next(event);) {
      Row& row = counted[event.type_id];
      ++row.events;
      row.bytes += static_cast<int64_t>(event.size);
    }
    rows_.clear();
    at_ = 0;
    for (auto& [id, row] : counted) {
      const jfr::read::Type* type = chunk.metadata().by_id(id);
      if (type == nullptr || !type->event) continue;
      row.type = type->name;
      row.label = label_of(*type);
      rows_.push_back(std::move(row));
    }
  }
  bool next_in_chunk() override { return at_++ < rows_.size(); }

 private:
  struct Row {
    std::string type, label;
    int64_t events = 0, bytes = 0;
  };
  std::vector<Row> rows_;
  size_t at_ = 0;
};

// What each recording says that it has lost.
class LossRows : public ChunkRows {
 public:
  using ChunkRows::ChunkRows;

  Cell column(size_t index) override {
    const auto& [event, loss] = rows_[at_ - 1];
    switch (index) {
      case 0: return Cell::of(int64_t{recording()} + 1);
      case 1: return Cell::of_text(event);
      case 2: return Cell::of_text(loss.cause);
      default: return Cell::of(loss.count);
    }
  }

 protected:
  void enter(Chunk& chunk) override {
    rows_.clear();
    at_ = 0;
    auto walk = chunk.events();
    for (Event event; walk.next(event);) {
      const jfr::read::Type* type = chunk.type_of(event);
      ToldLoss loss;
      if (type != nullptr && tells_of_losses(type->name) && read_loss(chunk, event, *type, loss) && loss.is_loss)
        rows_.emplace_back(type->name, std::move(loss));
    }
  }
  bool next_in_chunk() override { return at_++ < rows_.size(); }

 private:
  std::vector<std::pair<std::string, ToldLoss>> rows_;
  size_t at_ = 0;
};

}  // namespace

std::unique_ptr<SqlTable> make_recordings_table(SqlWorld& world) {
  return std::make_unique<WorldTable<RecordingRows>>(world, "recordings",
                                                     std::vector<SqlColumn>{{"recording", "INTEGER"},
                                                                            {"name", "TEXT"},
                                                                            {"file", "TEXT"},
                                                                            {"service", "TEXT"},
                                                                            {"host", "TEXT"},
                                                                            {"env", "TEXT"},
                                                                            {"labels", "TEXT"},
                                                                            {"start_ns", "INTEGER"},
                                                                            {"end_ns", "INTEGER"},
                                                                            {"chunks", "INTEGER"},
                                                                            {"bytes", "INTEGER"}});
}

std::unique_ptr<SqlTable> make_chunks_table(SqlWorld& world) {
  return std::make_unique<WorldTable<ChunksRows>>(
      world, "chunks",
      std::vector<SqlColumn>{{"recording", "INTEGER"}, {"start_ns", "INTEGER"}, {"end_ns", "INTEGER"}});
}

std::unique_ptr<SqlTable> make_event_types_table(SqlWorld& world) {
  return std::make_unique<WorldTable<EventTypeRows>>(world, "event_types",
                                                     std::vector<SqlColumn>{{"recording", "INTEGER", Key::kRecording},
                                                                            {"type", "TEXT"},
                                                                            {"table_name", "TEXT"},
                                                                            {"label", "TEXT"},
                                                                            {"events", "INTEGER"},
                                                                            {"bytes", "INTEGER"}});
}

std::unique_ptr<SqlTable> make_losses_table(SqlWorld& world) {
  return std::make_unique<WorldTable<LossRows>>(
      world, "losses",
      std::vector<SqlColumn>{
          {"recording", "INTEGER", Key::kRecording}, {"event", "TEXT"}, {"cause", "TEXT"}, {"count", "INTEGER"}});
}

}  // namespace jrec
