// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_recording.h"

#include <fmt/core.h>

#include <deque>
#include <memory>

#include "jrec/fleet/fleet_rows.h"
#include "jrec/fleet/fleet_samples.h"
#include "jrec/fleet/fleet_table.h"
#include "jrec/input/side_by_side.h"

namespace jrec {
namespace {

using base::Result;
using base::Status;
using Shape = ParquetColumn::Shape;

const ParquetColumns kRecordingColumns = {
    {"recording"},
    {"name"},
    {"service"},
    {"host"},
    {"version", ParquetType::kText, true},
    {"key", ParquetType::kText, false, Shape::kMap, "labels"},
    {"value", ParquetType::kText, false, Shape::kMap, "labels"},
    {"java", ParquetType::kText, true},
    {"start", ParquetType::kTime},
    {"end", ParquetType::kTime},
    {"chunks", ParquetType::kLong},
    {"bytes", ParquetType::kLong},
    {"samples", ParquetType::kLong},
    {"damaged", ParquetType::kFlag},
};

void add_text_or_null(ColumnValues& column, const std::string& text) {
  if (text.empty())
    column.add_null();
  else
    column.add_text(text);
}

class RecordingExport {
 public:
  RecordingExport(SqlWorld& world, uint32_t recording, FleetStore& store, StacksThere& there)
      : world_(world), index_(recording), store_(store), there_(there) {
    const std::vector<SqlChunk>& chunks = world.source.chunks();
    for (size_t i = 0; i < chunks.size(); ++i)
      if (chunks[i].recording == recording) chunks_.push_back(i);
  }

  Result<FleetResult> run(const SaidOfFleet& said, const std::vector<std::unique_ptr<SqlTable>>& tables) {
    if (chunks_.empty()) return base::Error{base::ErrorCode::kUsage, 0, "is no recording that can be read"};
    const jfr::archive::ContentHash hash = world_.source.hash(index_);
    result_.id = fmt::format("{:016x}{:016x}", hash[1], hash[0]);
    const auto was_there = store_.has_file(row_folder() + "/" + result_.id + ".parquet");
    if (!was_there) return was_there.error();
    result_.was_there = *was_there;
    if (result_.was_there) return result_;
    identity_ = identity_of(said, row().labels, facts());
    result_.service = identity_.service;
    result_.host = identity_.host;
    FleetAppend append(store_, result_.id);
    if (const Status written = write(append, tables); !written) return written.error();
    return result_;
  }

 private:
  const SqlRecording& row() const { return world_.source.recordings()[index_]; }
  std::string row_folder() const { return "recordings/day=" + day_text(day_of(row().start_ns)); }

  // Those of the first chunk: JFR writes them into each.
  ProcessFacts facts() {
    ProcessFacts facts;
    if (const auto open = world_.source.open(chunks_.front())) facts.read(open->chunk());
    return facts;
  }

  Status write(FleetAppend& append, const std::vector<std::unique_ptr<SqlTable>>& tables) {
    const FleetDays days(row().start_ns, row().end_ns);
    const Partition partition{identity_.service, identity_.host, days.first()};
    StacksUsed stacks;
    FleetRows rows(append, partition, days, identity_.version);
    std::deque<FleetTable> others;
    for (const auto& table : tables) others.emplace_back(world_, *table, FleetPlace{append, partition, days});
    if (const Status read = read_chunks(rows, others, stacks); !read) return read;
    if (const Status finished = rows.finish(); !finished) return finished;
    for (FleetTable& table : others)
      if (const Status finished = table.finish(); !finished) return finished;
    std::vector<StacksUsed::Added> added;
    const auto count = stacks.write(append, there_, partition, added);
    if (!count) return count.error();
    result_.samples = rows.rows();
    result_.stacks = *count;
    if (const Status written = write_row(append); !written) return written;
    if (const Status committed = append.commit(); !committed) return committed;
    for (StacksUsed::Added& fresh : added) fresh.there->insert(fresh.numbers.begin(), fresh.numbers.end());
    there_.forget_many();
    return base::Done{};
  }

  struct ReadChunk {
    std::unique_ptr<OpenChunk> open;  // null: it cannot be read
    FleetSamples samples;
  };

  // Each chunk is opened once: those of archives are unpacked for it.
  Status read_chunks(FleetRows& rows, std::deque<FleetTable>& others, StacksUsed& stacks) {
    Status status = base::Done{};
    side_by_side(
        chunks_.size(), [&](size_t i) { return read_chunk(chunks_[i]); },
        [&](size_t i, ReadChunk&& chunk) {
          if (chunk.open == nullptr) return true;
          status = rows.add(chunk.samples, stacks);
          for (auto table = others.begin(); status.ok() && table != others.end(); ++table)
            status = table->add({chunks_[i], &chunk.open->chunk()}, stacks);
          return status.ok();
        });
    return status;
  }

  ReadChunk read_chunk(size_t chunk) {
    ReadChunk read{world_.source.open(chunk), {}};
    if (read.open == nullptr) return read;
    read.samples = read_fleet_samples(read.open->chunk());
    world_.source.close(chunk, *read.open);
    return read;
  }

  Status write_row(FleetAppend& append) {
    const std::string folder = row_folder();
    auto file = append.begin("recordings", folder.substr(folder.find('/') + 1), kRecordingColumns);
    if (!file) return file.error();
    ParquetWriter& out = (*file)->writer();
    size_t column = 0;
    for (const std::string& text : {result_.id, row().name, identity_.service, identity_.host})
      out.column(column++).add_text(text);
    add_text_or_null(out.column(column++), identity_.version);
    ColumnValues &keys = out.column(column++), &values = out.column(column++);
    keys.begin_list(identity_.labels.size());
    values.begin_list(identity_.labels.size());
    for (const auto& [key, value] : identity_.labels) {
      keys.add_text(key);
      values.add_text(value);
    }
    add_text_or_null(out.column(column++), identity_.java);
    for (const int64_t number : {micros_of(row().start_ns), micros_of(row().end_ns), static_cast<int64_t>(row().chunks),
                                 static_cast<int64_t>(row().bytes), static_cast<int64_t>(result_.samples),
                                 int64_t{world_.source.damaged(index_)}})
      out.column(column++).add(number);
    out.end_row();
    return (*file)->finish();
  }

  SqlWorld& world_;
  const uint32_t index_;
  FleetStore& store_;
  StacksThere& there_;
  std::vector<size_t> chunks_;  // of the recording, in the source
  FleetIdentity identity_;
  FleetResult result_;
};

}  // namespace

Result<FleetResult> export_recording(SqlWorld& world, uint32_t recording, const SaidOfFleet& said,
                                     const std::vector<std::unique_ptr<SqlTable>>& tables, FleetStore& store,
                                     StacksThere& there) {
  return RecordingExport(world, recording, store, there).run(said, tables);
}

}  // namespace jrec
