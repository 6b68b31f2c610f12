// SPDX-License-Identifier: Apache-2.0
// events_TYPE: a column for each field, as the chunk's metadata declares it; where recordings differ, for each that one
// has.
#include <algorithm>
#include <map>
#include <set>

#include "format/reader/values.h"
#include "jrec/base/letter_case.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/sql/chunk_rows.h"
#include "jrec/sql/json_cell.h"
#include "jrec/sql/sql_tables.h"
#include "jrec/values/field_time.h"
#include "jrec/view/cell_reader.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Metadata;
using jfr::read::Type;
using Key = SqlColumn::Key;
using Native = SqlColumn::Native;

constexpr int kDeepestText = 4;
constexpr int kDeepestColumns = 4;     // structs in each other
constexpr size_t kMostColumns = 1000;  // engines take two thousand

// Where a column's value is, and what of it.
struct EventColumn {
  enum class What : uint8_t { kValue, kThreadId, kStack, kStackTop, kJson };
  std::string path;  // of CellReader
  What what = What::kValue;

  bool is_derived() const { return what == What::kThreadId || what == What::kStackTop; }
  // Another recording may declare the same field as another type.
  bool same_as(const EventColumn& other) const {
    return path == other.path && (what == other.what || (!is_derived() && !other.is_derived()));
  }
};

const char* type_for_both(const char* a, const char* b) {
  const std::string_view one = a, other = b;
  if (one == other) return a;
  if (one == "TEXT" || other == "TEXT") return "TEXT";
  return one == "REAL" || other == "REAL" ? "REAL" : "HUGEINT";
}

struct EventColumns {
  std::vector<SqlColumn> columns{{"recording", "INTEGER", Key::kRecording}};
  std::vector<EventColumn> sources{{}};

  void add(std::string name, const char* type, std::string path, EventColumn::What what = EventColumn::What::kValue,
           Key key = Key::kNone, Native native = Native::kLong) {
    EventColumn source{std::move(path), what};
    for (size_t i = 0; i < sources.size(); ++i)
      if (sources[i].same_as(source)) return hold_both(i, source, type, native);
    if (columns.size() == kMostColumns) return;
    columns.push_back({free_name(name), type, key, native});
    sources.push_back(std::move(source));
  }

  bool has(std::string_view path) const {
    return std::ranges::any_of(sources, [&](const EventColumn& known) { return known.path == path; });
  }

  // Another recording declares the field otherwise: the column's type has the values of both.
  void hold_both(size_t index, const EventColumn& source, const char* type, Native native) {
    SqlColumn& column = columns[index];
    column.type = type_for_both(column.type, type);
    if (column.native != native) column.native = Native::kLong;
    if (source.what == EventColumn::What::kJson) sources[index].what = source.what;
  }

  // A field may be called as a column of ours, or as another but for its case: then it is name_2.
  std::string free_name(const std::string& name) const {
    std::string free = name;
    for (int number = 2;
         std::ranges::any_of(columns, [&](const SqlColumn& known) { return same_but_for_case(known.name, free); });)
      free = name + "_" + std::to_string(number++);
    return free;
  }
};

// Does a value of that type have a short text (field_text.h)?
bool has_text(const Metadata& metadata, const Type& type, int depth = 0) {
  for (const std::string_view name :
       {"java.lang.Thread", "java.lang.Class", "jdk.types.Method", "jdk.types.ClassLoader"})
    if (type.name == name) return true;
  if (type.kind == Kind::kString) return true;
  if (depth > kDeepestText || type.fields.empty() || type.fields[0].array) return false;
  const Field& first = type.fields[0];
  if (first.kind == Kind::kString || type.simple) return true;
  return first.kind == Kind::kStruct && first.type != jfr::read::kNoType &&
         has_text(metadata, metadata.types()[first.type], depth + 1);
}

const char* sql_type(const Field& field) {
  if (jfr::read::is_real(field.kind)) return "REAL";
  if (!jfr::read::is_integer(field.kind) || field.kind == Kind::kChar) return "TEXT";
  return may_exceed_long(field) ? "UNSIGNED" : "INTEGER";
}

Native native_type(const Field& field) {
  if (is_time(field.meaning)) return Native::kTime;
  if (field.kind == Kind::kBoolean) return Native::kFlag;
  const bool fits = field.kind < Kind::kInt || (field.kind == Kind::kInt && !field.is_unsigned);
  return fits && !is_span(field.meaning) ? Native::kInt : Native::kLong;
}

void add_field(const Metadata& metadata, const Field& field, const std::string& name, const std::string& path,
               int depth, EventColumns& out) {
  if (field.kind == Kind::kUndeclared) return;
  if (field.array) return out.add(name, "TEXT", path, EventColumn::What::kJson);
  const Type* type = field.type == jfr::read::kNoType ? nullptr : &metadata.types()[field.type];
  if (field.kind != Kind::kStruct || type == nullptr) {
    const bool starts = depth == 0 && name == "startTime";
    return out.add(name, sql_type(field), path, EventColumn::What::kValue, starts ? Key::kTime : Key::kNone,
                   native_type(field));
  }
  if (type->name == "jdk.types.StackTrace") {
    out.add(name, "INTEGER", path, EventColumn::What::kStack, Key::kNone, Native::kStack);
    return out.add(name + "_top", "TEXT", path, EventColumn::What::kStackTop);
  }
  if (has_text(metadata, *type)) {
    out.add(name, "TEXT", path);
    if (type->name == "java.lang.Thread") out.add(name + "_id", "INTEGER", path, EventColumn::What::kThreadId);
    return;
  }
  if (depth == kDeepestColumns) return out.add(name, "TEXT", path, EventColumn::What::kJson);
  for (const Field& inner : type->fields)
    add_field(metadata, inner, name + "_" + std::string(inner.name), path + "." + std::string(inner.name), depth + 1,
              out);
}

// What an event stands for is a column also where it stands for itself and has no such field: null then.
void add_weight(std::string_view type, EventColumns& out) {
  const std::string weight(weight_field(type).name);
  if (weight_unit(type, false) != "samples" && !weight.empty() && !out.has(weight)) out.add(weight, "INTEGER", weight);
}

class EventRows : public ChunkRows {
 public:
  EventRows(SqlWorld& world, const std::string& type, const std::vector<EventColumn>& columns, const SqlWanted& wanted)
      : ChunkRows(world, wanted), type_name_(type), columns_(columns) {}

  Cell column(size_t index) override {
    if (index == 0) return Cell::of(int64_t{recording()} + 1);
    FieldPath& path = paths_[index];
    if (path.field < 0) return {};
    const EventColumn::What what = columns_[index].what;
    if (what == EventColumn::What::kStack || what == EventColumn::What::kStackTop) return stack(path.field, what);
    if (what == EventColumn::What::kJson) return json(path);
    const Cell& cell = reader_->read(event_, *type_, path);
    if (what == EventColumn::What::kThreadId) return cell.null() ? Cell() : Cell::of(cell.integer);
    return cell;
  }

 protected:
  void enter(Chunk& chunk) override {
    chunk_ = &chunk;
    type_ = chunk.metadata().find(type_name_);
    if (type_ == nullptr || !type_->decodable()) {
      type_ = nullptr;
      return;
    }
    walk_.emplace(chunk.events());
    reader_.emplace(chunk, chunk.clock());
    stacks_.emplace(chunk, world().stacks);
    paths_.clear();
    for (const EventColumn& column : columns_) paths_.push_back(reader_->bind(column.path, *type_));
  }
  bool next_in_chunk() override {
    if (type_ == nullptr) return false;
    while (walk_->next(event_))
      if (event_.type_id == type_->id) return true;
    return false;
  }
  bool reads(std::string_view type) const override { return type == type_name_; }

 private:
  Cell json(const FieldPath& path) {
    const FieldValue value = reader_->value_of(event_, *type_, path);
    return value.null() ? Cell() : Cell::of_text(json_of(*reader_, value));
  }
  Cell stack(int field, EventColumn::What what) {
    const int64_t number = stacks_->number(chunk_->field(event_, *type_, field).leb());
    if (number == 0) return {};
    return what == EventColumn::What::kStack ? Cell::of(number) : Cell::of_text(world().stacks.top(number));
  }

  const std::string type_name_;
  const std::vector<EventColumn> columns_;
  Chunk* chunk_ = nullptr;
  const Type* type_ = nullptr;  // null: the chunk has none such
  std::optional<jfr::read::EventWalk> walk_;
  std::optional<CellReader> reader_;
  std::optional<ChunkStacks> stacks_;
  std::vector<FieldPath> paths_;
  Event event_;
};

class EventTable : public SqlTable {
 public:
  EventTable(SqlWorld& world, const std::string& name, const std::string& type, EventColumns columns)
      : SqlTable(name, std::move(columns.columns)), world_(world), type_(type), sources_(std::move(columns.sources)) {}
  std::unique_ptr<SqlRows> scan(const SqlWanted& wanted) override {
    return std::make_unique<EventRows>(world_, type_, sources_, wanted);
  }

 private:
  SqlWorld& world_;
  const std::string type_;
  const std::vector<EventColumn> sources_;
};

}  // namespace

const EventTableNames& event_table_names(SqlWorld& world) {
  if (world.table_names) return *world.table_names;
  std::set<std::string> types;
  world.source.each_metadata([&](const Metadata& metadata) {
    for (const Type& type : metadata.types())
      if (type.event) types.emplace(type.name);
  });
  return world.table_names.emplace(types);
}

std::vector<std::unique_ptr<SqlTable>> make_event_tables(SqlWorld& world,
                                                         const std::function<bool(const std::string&)>& wanted) {
  std::set<std::string, std::less<>> asked;
  const EventTableNames& names = event_table_names(world);
  for (const auto& [type, name] : names.by_type())
    if (wanted(name)) asked.insert(type);
  if (asked.empty()) return {};
  std::map<std::string, EventColumns> types;
  world.source.each_metadata([&](const Metadata& metadata) {
    for (const Type& type : metadata.types()) {
      if (!type.event || !asked.contains(type.name)) continue;
      EventColumns& columns = types[std::string(type.name)];
      for (const Field& field : type.fields) {
        const std::string name(field.name);
        add_field(metadata, field, name, name, 0, columns);
      }
      add_weight(type.name, columns);
    }
  });
  std::vector<std::unique_ptr<SqlTable>> tables;
  for (auto& [type, columns] : types)
    tables.push_back(std::make_unique<EventTable>(world, names.of(type), type, std::move(columns)));
  return tables;
}

}  // namespace jrec
