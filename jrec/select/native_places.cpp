// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/native_places.h"

#include <array>

#include "format/reader/values.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Type;

// Fields of an event's type, by name; not whole() where one is missing, or is not what it is with us.
class Layout {
 public:
  Layout(const Chunk& chunk, std::string_view name) : type_(chunk.metadata().find(name)) {
    if (type_ != nullptr && !type_->decodable()) type_ = nullptr;
  }
  int key(std::string_view name) {
    return index(name, [](const Field& field) { return field.constant && !field.array; });
  }
  int text(std::string_view name) {
    return index(name, [](const Field& field) { return field.kind == Kind::kString && !field.array; });
  }
  int number(std::string_view name) {
    return index(name, [](const Field& field) { return field.kind == Kind::kLong && !field.array && !field.constant; });
  }
  bool whole() const { return type_ != nullptr && whole_; }
  bool is(const Event& event) const { return event.type_id == type_->id; }
  const Type& type() const { return *type_; }

 private:
  template <typename Fits>
  int index(std::string_view name, Fits fits) {
    const int found = type_ != nullptr ? type_->field(name) : -1;
    whole_ = whole_ && found >= 0 && fits(type_->fields[static_cast<size_t>(found)]);
    return found;
  }
  const Type* type_;
  bool whole_ = true;
};

// Where the code of a library lies in its file, of where it lay in memory. Older recordings do not tell.
class LoadRange {
 public:
  explicit LoadRange(Chunk& chunk)
      : chunk_(chunk),
        layout_(chunk, "rec.NativeModule"),
        fields_{layout_.number("baseAddress"), layout_.number("topAddress"), layout_.number("fileOffset"),
                layout_.number("loadBias")} {}
  void read(const Event& event, LibraryBuild& library) {
    if (!layout_.whole()) return;
    std::array<uint64_t, 4> told{};
    for (size_t i = 0; i < told.size(); ++i) {
      Cursor at = chunk_.field(event, layout_.type(), fields_[i]);
      told[i] = at.leb();
      if (!at.ok()) return;
    }
    const auto [base, top, file_offset, bias] = told;
    if (base < bias || top <= base) return;
    library.start = base - bias, library.limit = top - bias, library.file_offset = file_offset;
  }

 private:
  Chunk& chunk_;
  Layout layout_;
  std::array<int, 4> fields_;
};

std::map<uint64_t, LibraryBuild> libraries_of(Chunk& chunk) {
  std::map<uint64_t, LibraryBuild> libraries;
  Layout layout(chunk, "rec.NativeModule");
  const int library = layout.key("library"), path = layout.text("path"), build_id = layout.text("buildId");
  if (!layout.whole()) return libraries;
  LoadRange range(chunk);
  auto walk = chunk.events_again();
  for (Event event; walk.next(event);) {
    if (!layout.is(event)) continue;
    Cursor key = chunk.field(event, layout.type(), library), path_at = chunk.field(event, layout.type(), path),
           id_at = chunk.field(event, layout.type(), build_id);
    const uint64_t of = key.leb();
    LibraryBuild told;
    chunk.append_string(path_at, told.path);
    chunk.append_string(id_at, told.build_id);
    range.read(event, told);
    if (key.ok() && path_at.ok() && id_at.ok()) libraries.try_emplace(of, std::move(told));
  }
  return libraries;
}

std::map<uint64_t, std::vector<uint64_t>> functions_of(Chunk& chunk) {
  std::map<uint64_t, std::vector<uint64_t>> functions;
  Layout layout(chunk, "rec.NativeFunction");
  const int function = layout.key("function"), address = layout.number("address");
  if (!layout.whole()) return functions;
  auto walk = chunk.events_again();
  for (Event event; walk.next(event);) {
    if (!layout.is(event)) continue;
    Cursor key = chunk.field(event, layout.type(), function), place = chunk.field(event, layout.type(), address);
    const uint64_t of = key.leb(), at = place.leb();
    if (key.ok() && place.ok()) functions[of].push_back(at);
  }
  return functions;
}

}  // namespace

Cursor at_field(Cursor value, const jfr::read::Metadata& metadata, const Type& type, int index) {
  for (int i = 0; i < index && value.ok(); ++i) skip_field(value, metadata, type.fields[static_cast<size_t>(i)]);
  return value;
}

std::map<uint64_t, NativePlace> native_places(Chunk& chunk) {
  std::map<uint64_t, NativePlace> places;
  const std::map<uint64_t, LibraryBuild> libraries = libraries_of(chunk);
  const uint32_t method = chunk.metadata().index_of("jdk.types.Method");
  if (libraries.empty() || method == jfr::read::kNoType) return places;
  const Type& type = chunk.metadata().types()[method];
  const int klass = type.field("type");
  if (klass < 0 || !type.fields[static_cast<size_t>(klass)].constant) return places;
  for (auto& [key, addresses] : functions_of(chunk)) {
    Cursor value = chunk.constants().find(method, key);
    if (!value.ok()) continue;
    Cursor at = at_field(value, chunk.metadata(), type, klass);
    const auto library = libraries.find(at.leb());
    if (!at.ok() || library == libraries.end()) continue;
    places[key] = {library->second, std::move(addresses)};
  }
  return places;
}

}  // namespace jrec
