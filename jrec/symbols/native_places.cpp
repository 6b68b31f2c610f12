// SPDX-License-Identifier: Apache-2.0
#include "jrec/symbols/native_places.h"

#include "format/reader/values.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Type;

struct Module {
  std::string path, build_id;
};

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

std::map<uint64_t, Module> modules_of(Chunk& chunk) {
  std::map<uint64_t, Module> modules;
  Layout layout(chunk, "rec.NativeModule");
  const int library = layout.key("library"), path = layout.text("path"), build_id = layout.text("buildId");
  if (!layout.whole()) return modules;
  auto walk = chunk.events_again();
  for (Event event; walk.next(event);) {
    if (!layout.is(event)) continue;
    Cursor key = chunk.field(event, layout.type(), library), path_at = chunk.field(event, layout.type(), path),
           id_at = chunk.field(event, layout.type(), build_id);
    const uint64_t of = key.leb();
    Module module;
    chunk.append_string(path_at, module.path);
    chunk.append_string(id_at, module.build_id);
    if (key.ok() && path_at.ok() && id_at.ok()) modules.try_emplace(of, std::move(module));
  }
  return modules;
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
  const std::map<uint64_t, Module> modules = modules_of(chunk);
  const uint32_t method = chunk.metadata().index_of("jdk.types.Method");
  if (modules.empty() || method == jfr::read::kNoType) return places;
  const Type& type = chunk.metadata().types()[method];
  const int klass = type.field("type");
  if (klass < 0 || !type.fields[static_cast<size_t>(klass)].constant) return places;
  for (auto& [key, addresses] : functions_of(chunk)) {
    Cursor value = chunk.constants().find(method, key);
    if (!value.ok()) continue;
    Cursor at = at_field(value, chunk.metadata(), type, klass);
    const auto module = modules.find(at.leb());
    if (!at.ok() || module == modules.end()) continue;
    places[key] = {module->second.path, module->second.build_id, std::move(addresses)};
  }
  return places;
}

}  // namespace jrec
