// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/csv_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/select/glob.h"
#include "jrec/values/field_text.h"
#include "jrec/values/field_time.h"
#include "jrec/values/running_clock.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

struct Column {
  std::string name;
  std::vector<std::string> path;
  bool id = false;  // of the thread at that path
};

bool has_short_text(const Type& type) {
  return type.kind != Kind::kStruct || type.name == "java.lang.Thread" || type.name == "java.lang.Class" ||
         type.name == "jdk.types.Method" || type.name == "jdk.types.StackTrace" ||
         (type.fields.size() == 1 && type.fields[0].kind == Kind::kString);
}

// Columns of a type, structs opened.
class Columns {
 public:
  explicit Columns(const Chunk& chunk) : chunk_(chunk) {}

  void collect(const Type& type, int depth, std::vector<std::string>& path, std::vector<Column>& columns) {
    for (const Field& field : type.fields) {
      if (field.array || field.type == jfr::read::kNoType) continue;
      const Type& inner = chunk_.metadata().types()[field.type];
      path.emplace_back(field.name);
      if (has_short_text(inner))
        add(field, inner, path, columns);
      else if (depth < kMaxCsvDepth)
        collect(inner, depth + 1, path, columns);
      path.pop_back();
    }
  }

 private:
  static void add(const Field& field, const Type& type, const std::vector<std::string>& path,
                  std::vector<Column>& columns) {
    const std::string name = fmt::format("{}{}", joined(path, "."), is_span(field.meaning) ? "_ns" : "");
    const auto known = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
    if (known != columns.end() || columns.size() + 2 > kMaxCsvColumns) return;
    columns.push_back({name, path, false});
    if (type.name == "java.lang.Thread") columns.push_back({name + "Id", path, true});
  }

  const Chunk& chunk_;
};

void append_cell(std::string_view text, bool guard, std::string& out) {
  const bool risky = guard && !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  if (!risky && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    append_plain(text, out);
    return;
  }
  out += risky ? "\"'" : "\"";
  while (!text.empty()) {
    const size_t quote = std::min(text.find('"'), text.size() - 1);
    append_plain(text.substr(0, quote + 1), out, "\n\t");
    if (text[quote] == '"') out += '"';
    text.remove_prefix(quote + 1);
  }
  out += '"';
}

class CsvChunk : public ChunkPrinter {
 public:
  CsvChunk(Chunk& chunk, const jfr::read::Clock& clock, const std::vector<Column>& columns, uint32_t stack_depth)
      : fields_(chunk),
        clock_(clock),
        utc_offset_s_(checked_utc_offset_s(chunk.metadata().utc_offset_ms())),
        columns_(columns),
        stack_depth_(stack_depth) {}

  bool append(const Event& event, const Type& type, std::string& out) override {
    Cursor in = fields_.chunk().body(event);
    for (const Field& field : type.fields) skip_field(in, fields_.chunk().metadata(), field);
    if (!type.decodable() || !in.ok()) return false;
    const char* separator = "";
    for (const Column& column : columns_) {
      out += std::exchange(separator, ",");
      FieldValue value = fields_.of(event, type, column.path[0]);
      for (size_t i = 1; i < column.path.size(); ++i) value = fields_.member(value, column.path[i]);
      if (!value.null()) append_value(value, column, out);
    }
    out += '\n';
    return true;
  }

 private:
  void append_value(const FieldValue& value, const Column& column, std::string& out) {
    cell_.clear();
    bool guard = !value.is_number() || value.is(Kind::kChar);
    if (column.id) {
      const int64_t java_id = fields_.integer(fields_.member(value, "javaThreadId"));
      guard = false;
      cell_ = std::to_string(java_id > 0 ? java_id : fields_.integer(fields_.member(value, "osThreadId")));
    } else if (value.is_struct() && value.type->name == "jdk.types.StackTrace") {
      append_stack(value);
    } else if (value.is_number() && value.field->meaning != Meaning::kPlain) {
      append_time(value);
    } else {
      append_short_text(fields_, value, cell_);
    }
    append_cell(cell_, guard, out);
  }

  void append_time(const FieldValue& value) {
    const FieldTime time(clock_, utc_offset_s_);
    const int64_t number = fields_.integer(value);
    if (number == INT64_MIN) return;  // none, as print shows it
    if (is_span(value.field->meaning))
      cell_ = std::to_string(time.nanos(number, value.field->meaning));
    else
      time.append_iso(number, value.field->meaning, cell_);
  }

  void append_stack(const FieldValue& stack) {
    const FieldValue frames = fields_.member(stack, "frames");
    if (frames.null() || !frames.array) return;
    Cursor in = frames.in;
    const uint64_t count = read_count(in, fields_.chunk().metadata(), *frames.field);
    std::vector<std::string> names;
    for (uint64_t i = 0; i < count && i < stack_depth_ && in.ok(); ++i) {
      names.emplace_back();
      if (!append_frame_method(fields_, fields_.take_element(in, *frames.field), names.back()))
        names.back() = "[unknown]";
      std::replace(names.back().begin(), names.back().end(), ';', ',');
    }
    std::reverse(names.begin(), names.end());
    cell_ = joined(names, ";");
  }

  FieldReader fields_;
  jfr::read::Clock clock_;
  int32_t utc_offset_s_;
  const std::vector<Column>& columns_;
  uint32_t stack_depth_;
  std::string cell_;
};

class CsvWriter : public EventWriter {
 public:
  CsvWriter(std::vector<Column> columns, uint32_t stack_depth)
      : columns_(std::move(columns)), stack_depth_(stack_depth) {}

  std::unique_ptr<ChunkPrinter> chunk(Chunk& chunk, const jfr::read::Clock& clock) override {
    return std::make_unique<CsvChunk>(chunk, clock, columns_, stack_depth_);
  }

  void begin(std::string& out) override {
    const char* separator = "";
    for (const Column& column : columns_) {
      out += std::exchange(separator, ",");
      append_cell(column.name, true, out);
    }
    if (!columns_.empty()) out += '\n';
  }

 private:
  std::vector<Column> columns_;
  uint32_t stack_depth_;
};

base::Error several(const std::vector<std::string>& types) {
  constexpr size_t kShown = 8;
  const auto shown = std::span(types).first(std::min(types.size(), kShown));
  return base::Error{
      base::ErrorCode::kUsage, 0,
      fmt::format("--csv writes one table; choose one event type with --events: {}{}", joined(shown, ", "),
                  types.size() > kShown ? fmt::format(" and {} more", types.size() - kShown) : "")};
}

}  // namespace

base::Result<std::unique_ptr<EventWriter>> csv_writer(Recording& recording, const Filter& filter,
                                                      uint32_t stack_depth) {
  RunningClock clock;
  std::vector<std::string> types;
  std::vector<Column> columns;
  const auto look_at = [&](Chunk& chunk) {
    ChunkFilter wanted(filter, chunk, clock.of(chunk));
    std::vector<bool> seen(chunk.metadata().types().size());
    auto walk = chunk.events();
    for (Event event; walk.next(event);) {
      const uint32_t index = chunk.metadata().index_of(event.type_id);
      if (event.type_id <= jfr::kCheckpointType || index == jfr::read::kNoType || seen[index]) continue;
      const Type& type = chunk.metadata().types()[index];
      if (!wanted.type(type) || !wanted.matches(event, type)) continue;
      seen[index] = true;
      if (std::find(types.begin(), types.end(), type.name) == types.end()) types.emplace_back(type.name);
      std::vector<std::string> path;
      if (types.size() == 1 && type.decodable()) Columns(chunk).collect(type, 0, path, columns);
    }
  };
  recording.unsaid([&] { recording.each_chunk(look_at); });
  std::sort(types.begin(), types.end());
  if (types.size() > 1) return several(types);
  return std::unique_ptr<EventWriter>(std::make_unique<CsvWriter>(std::move(columns), stack_depth));
}

}  // namespace jrec
