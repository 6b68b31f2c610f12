// SPDX-License-Identifier: Apache-2.0
// The part of TextEvents that knows the JDK's own types: threads, classes, methods, stacks, chains of references.
#include <fmt/core.h>

#include <utility>

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/print/text_events.h"
#include "jrec/values/java_names.h"

namespace jrec {

using jfr::read::Cursor;

bool TextEvents::append_known(const FieldValue& value, int depth, std::string& out) {
  const std::string_view type = value.type->name;
  const bool stack = type == "jdk.types.StackTrace";
  const bool thread = type == "java.lang.Thread", klass = type == "java.lang.Class";
  if (type == "jdk.types.StackFrame") return append_frame(value, out), true;
  if (type == "jdk.types.Method") return append_method(value, out), true;
  if (type == "jdk.types.ClassLoader") return append_loader(value, out), true;
  if (type == "jdk.types.OldObject") return append_reference_chain(value, depth, out), true;
  if (!stack && !thread && !klass) return false;
  const bool keep = value.constant && depth == 1;
  const uint64_t id = value.key << 2 | (stack ? 1 : thread ? 2 : 3);
  if (keep && value.key >> 62 == 0) {
    if (const auto kept = cache_.find(id); kept != cache_.end()) {
      out += kept->second;
      return true;
    }
  }
  const size_t from = out.size();
  if (stack)
    append_stack(value, depth, out);
  else if (thread)
    append_thread(value, out);
  else
    append_class(value, out);
  if (!keep || value.key >> 62 != 0) return true;
  make_room(out.size() - from);
  cache_.emplace(id, out.substr(from));
  return true;
}

void TextEvents::make_room(size_t text_size) {
  cached_bytes_ += text_size + 64;
  if (cached_bytes_ <= kMaxCache) return;
  cache_.clear();
  methods_.clear();
  cached_bytes_ = text_size + 64;
}

void TextEvents::append_thread(const FieldValue& thread, std::string& out) {
  const int64_t java_id = fields_.integer(fields_.member(thread, "javaThreadId"));
  const bool is_virtual = fields_.integer(fields_.member(thread, "virtual")) != 0;
  out += '"';
  append_plain(fields_.text(fields_.member(thread, java_id > 0 ? "javaName" : "osName")), out);
  if (java_id > 0)
    append_format(out, "\" (javaThreadId = {}{})", java_id, is_virtual ? ", virtual" : "");
  else
    append_format(out, "\" (osThreadId = {})", fields_.integer(fields_.member(thread, "osThreadId")));
}

std::string TextEvents::class_name(const FieldValue& klass) {
  std::string name;
  append_class_name(fields_.text(fields_.member(klass, "name")), name);
  return plain(name);
}

void TextEvents::append_class(const FieldValue& klass, std::string& out) {
  out += class_name(klass);
  const FieldValue loader = fields_.member(klass, "classLoader");
  out += " (classLoader = ";
  std::string name;
  if (!loader.null() && !fields_.text(fields_.member(loader, "name"), name))
    name = class_name(fields_.member(loader, "type"));
  loader.null() ? void(out += "null") : append_plain(name, out);
  out += ')';
}

void TextEvents::append_loader(const FieldValue& loader, std::string& out) {
  const FieldValue type = fields_.member(loader, "type");
  if (type.null())
    out += "null";
  else
    append_format(out, "{} (id = {})", class_name(type), static_cast<int64_t>(loader.key));
}

void TextEvents::append_method(const FieldValue& method, std::string& out) {
  out += class_name(fields_.member(method, "type"));
  out += '.';
  append_plain(fields_.text(fields_.member(method, "name")), out);
  std::string parameters;
  append_parameters(fields_.text(fields_.member(method, "descriptor")), parameters);
  out += '(';
  append_plain(parameters, out);
  out += ')';
}

const TextEvents::Method& TextEvents::method_of(const FieldValue& frame) {
  const FieldValue method = fields_.member(frame, "method");
  if (const auto kept = methods_.find(method.key); method.constant && kept != methods_.end()) return kept->second;
  Method text;
  method.null() ? void(text.text = "N/A") : append_method(method, text.text);
  text.hidden = fields_.integer(fields_.member(method, "hidden")) != 0;
  make_room(text.text.size());
  return methods_[method.key] = std::move(text);
}

void TextEvents::append_frame(const FieldValue& frame, std::string& out) {
  out += method_of(frame).text;
  const FieldValue line = fields_.member(frame, "lineNumber");
  const int64_t number = fields_.integer(line);
  if (!line.null() && number >= 0) append_format(out, " line: {}", number);
}

void TextEvents::append_stack(const FieldValue& stack, int depth, std::string& out) {
  const std::string margin(static_cast<size_t>(depth) * 2 + 2, ' ');
  out += "[\n";
  const FieldValue frames = fields_.member(stack, "frames");
  bool more = fields_.integer(fields_.member(stack, "truncated")) != 0;
  if (frames.array && !frames.null()) {
    Cursor in = frames.in;
    const uint64_t count = read_count(in, fields_.chunk().metadata(), *frames.field);
    uint32_t shown = 0;
    for (uint64_t i = 0; i < count && in.ok() && !full(out); ++i) {
      const FieldValue frame = fields_.take_element(in, *frames.field);
      if (!frame.null() && method_of(frame).hidden) continue;
      if (shown++ == stack_depth_) {
        more = true;
        break;
      }
      out += margin;
      frame.null() ? void(out += "N/A") : append_frame(frame, out);
      out += '\n';
    }
  }
  if (more) out += margin + "...\n";
  out.append(margin, 2);
  out += ']';
}

// The object, and under it what holds it: `next : java.util.LinkedList$Node`, `[3] : java.lang.Object[16]`.
void TextEvents::append_reference_chain(const FieldValue& first, int depth, std::string& out) {
  constexpr int kMaxLinks = 1000;
  const std::string margin(static_cast<size_t>(depth) * 2 + 2, ' ');
  out += " [\n";
  FieldValue object = first;
  int64_t elements = array_elements_;
  std::string prefix;
  for (int link = 0; link < kMaxLinks && !object.null() && !full(out); ++link) {
    std::string name = class_name(fields_.member(object, "type"));
    if (name.ends_with("[]")) name.insert(name.size() - 1, std::to_string(elements));
    out += margin + prefix + name;
    const std::string description = plain(fields_.text(fields_.member(object, "description")));
    if (!description.empty()) out += " " + description;
    out += '\n';
    const FieldValue reference = fields_.member(object, "referrer");
    const FieldValue array = fields_.member(reference, "array"), field = fields_.member(reference, "field");
    elements = fields_.integer(fields_.member(array, "size"));
    if (fields_.integer(fields_.member(reference, "skip")) > 0) out += margin + "...\n";
    if (!array.null())
      prefix = fmt::format("[{}] : ", fields_.integer(fields_.member(array, "index")));
    else
      prefix = plain(fields_.text(fields_.member(field, "name"))) + " : ";
    object = fields_.member(reference, "object");
  }
  out.append(margin, 2);
  out += ']';
}

}  // namespace jrec
