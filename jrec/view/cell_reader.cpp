// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/cell_reader.h"

#include <algorithm>

#include <fmt/core.h>

#include "format/reader/values.h"
#include "jrec/values/field_text.h"
#include "jrec/values/java_names.h"
#include "jrec/values/time_text.h"

namespace jrec {

using jfr::read::Annotation;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

namespace {

constexpr uint64_t kMaxFramesToTop = 2048;       // looked at for the first frame outside of the JDK
constexpr std::string_view kNativeCode = "C++";  // the type of its frames

std::string label_in(const std::vector<Annotation>& annotations, std::string_view name) {
  for (const Annotation& annotation : annotations)
    if (annotation.type == "jdk.jfr.Label" && !annotation.first().empty()) return std::string(annotation.first());
  return std::string(name);
}

// int, Object, HashMap$Node: without packages.
std::string simple_parameters(std::string_view descriptor) {
  std::string full, simple;
  append_parameters(descriptor, full);
  size_t word = 0;
  for (const char c : full) {
    if (c == '.') {
      simple.resize(word);
      continue;
    }
    simple += c;
    if (c == ' ') word = simple.size();
  }
  return simple;
}

}  // namespace

std::string label_of(const Type& type) { return label_in(type.annotations, type.name); }
std::string label_of(const Field& field) { return label_in(field.annotations, field.name); }

CellReader::CellReader(jfr::read::Chunk& chunk, const jfr::read::Clock& clock)
    : fields_(chunk), clock_(clock), utc_offset_s_(checked_utc_offset_s(chunk.metadata().utc_offset_ms())) {}

FieldPath CellReader::bind(std::string_view path, const Type& type) const {
  FieldPath bound;
  while (!path.empty()) {
    const size_t dot = std::min(path.find('.'), path.size());
    bound.names.emplace_back(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  if (bound.names.empty()) return bound;
  bound.field = type.field(bound.names[0]);
  if (bound.field < 0) return bound;
  const Field& field = type.fields[static_cast<size_t>(bound.field)];
  bound.constant = field.constant && !field.array;
  return bound;
}

const Cell& CellReader::read(const Event& event, const Type& type, FieldPath& path) {
  path.place = FieldPath::kNowhere;
  if (path.constant && type.decodable()) {
    const uint64_t key = fields_.chunk().field(event, type, path.field).leb();
    const auto [known, fresh, place] = path.places.find_or_add(key, static_cast<uint32_t>(path.known.size()));
    path.place = known;
    if (fresh) path.known.push_back(read_value(event, type, path));
    return path.known[path.place];
  }
  path.fresh = read_value(event, type, path);
  return path.fresh;
}

Cell CellReader::read_value(const Event& event, const Type& type, const FieldPath& path) {
  if (path.names.empty()) return {};
  if (path.names[0] == "@type") return Cell::of_text(label_of(type));
  if (path.names[0] == "@name") return Cell::of_text(std::string(type.name), Content::kCode);
  if (path.field < 0 || !type.decodable()) return {};
  FieldValue value = fields_.of(event, type, path.field);
  for (size_t i = 1; i < path.names.size(); ++i) {
    if (path.names[i] == "@label") return label_cell(value);
    if (path.names[i][0] == '@') return frame_cell(value, path.names[i]);
    value = fields_.member(value, path.names[i]);
  }
  return cell_of(value);
}

FieldValue CellReader::value_of(const Event& event, const Type& type, const FieldPath& path) {
  if (path.field < 0 || !type.decodable()) return {};
  FieldValue value = fields_.of(event, type, path.field);
  for (size_t i = 1; i < path.names.size(); ++i) value = fields_.member(value, path.names[i]);
  return value;
}

Cell CellReader::cell_of(const FieldValue& value) {
  if (value.null() || value.array) return {};
  if (value.is_number()) return number(value);
  const std::string_view type = value.type->name;
  if (type == "jdk.types.StackTrace") return frame_cell(value, "@top");
  if (type == "jdk.types.Method") return Cell::of_text(method_text(value), Content::kCode);
  if (type == "jdk.types.ClassLoader") {
    const Cell loader = cell_of(fields_.member(value, "type"));
    return loader.null() ? Cell::of_text(fields_.text(fields_.member(value, "name")), Content::kCode) : loader;
  }
  Cell cell = Cell::of_text({}, type == "java.lang.Class" ? Content::kCode : Content::kPlain);
  if (type == "java.lang.Thread") cell.integer = thread_id(value);  // two threads may have one name
  return append_short_text(fields_, value, cell.text) ? cell : Cell();
}

int64_t CellReader::thread_id(const FieldValue& thread) {
  const int64_t java_id = fields_.integer(fields_.member(thread, "javaThreadId"));
  return java_id > 0 ? java_id : -fields_.integer(fields_.member(thread, "osThreadId"));
}

Cell CellReader::label_cell(const FieldValue& id) {
  const Type* type = fields_.chunk().metadata().by_id(static_cast<uint64_t>(fields_.integer(id)));
  return type == nullptr ? Cell() : Cell::of_text(label_of(*type));
}

Cell CellReader::number(const FieldValue& value) {
  Cursor in = value.in;
  const Kind kind = value.type->kind;
  const Content content = content_of(*value.field);
  if (jfr::read::is_real(kind)) return Cell::of_real(read_real(in, kind), content);
  const int64_t raw = read_integer(in, kind);
  if (kind == Kind::kChar) return Cell::of_text(utf8_of(static_cast<uint16_t>(raw)));
  if (content == Content::kTime || content == Content::kSpan) {
    if (raw == INT64_MIN) return {};
    if (content == Content::kSpan && raw == INT64_MAX) return Cell::of(INT64_MAX, content);
    return Cell::of(FieldTime(clock_, utc_offset_s_).nanos(raw, value.field->meaning), content);
  }
  return Cell::of(meant_number(*value.field, raw), content);
}

FieldValue CellReader::frame_of(const FieldValue& stack, std::string_view what) {
  const FieldValue frames = fields_.member(stack, "frames");
  if (frames.null() || !frames.array) return {};
  Cursor in = frames.in;
  const uint64_t count = read_count(in, fields_.chunk().metadata(), *frames.field);
  for (uint64_t i = 0; i < count && i < kMaxFramesToTop && in.ok(); ++i) {
    const FieldValue frame = fields_.take_element(in, *frames.field);
    if (!is_passed_over(frame, what)) return frame;
  }
  return {};
}

bool CellReader::is_passed_over(const FieldValue& frame, std::string_view what) {
  std::string text;
  if (what == "@java") return append_short_text(fields_, fields_.member(frame, "type"), text) && text == kNativeCode;
  const bool skips_jdk = what == "@site" || what == "@throw_site";
  const bool skips_constructors = what == "@thrower" || what == "@throw_site";
  if (!skips_jdk && !skips_constructors) return false;
  if (!append_frame_method(fields_, frame, text)) return true;
  return (skips_jdk && of_the_jdk(text)) || (skips_constructors && text.ends_with(".<init>"));
}

Cell CellReader::frame_cell(const FieldValue& stack, std::string_view what) {
  const FieldValue frame = frame_of(stack, what);
  if (frame.null()) return {};
  if (what == "@line") return cell_of(fields_.member(frame, "lineNumber"));
  if (what == "@bci") return cell_of(fields_.member(frame, "bytecodeIndex"));
  return cell_of(fields_.member(frame, "method"));
}

std::string CellReader::method_text(const FieldValue& method) {
  std::string text;
  append_method_name(fields_, method, text);
  const std::string descriptor = fields_.text(fields_.member(method, "descriptor"));
  // Native frames of other profilers have no descriptor, or an empty one.
  if (descriptor.starts_with('(')) text += '(' + simple_parameters(descriptor) + ')';
  return text;
}

int64_t CellReader::end_ns(const Event& event, const Type& type) {
  if (type.fields.empty() || type.fields[0].name != "startTime") return 0;
  Cursor in = fields_.chunk().body(event);
  uint64_t ticks = in.leb();
  if (type.fields.size() > 1 && type.fields[1].name == "duration") ticks += in.leb();
  return clock_.unix_ns(static_cast<int64_t>(ticks));
}

}  // namespace jrec
