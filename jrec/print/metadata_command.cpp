// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/metadata_command.h"

#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "jrec/base/escape.h"
#include "jrec/input/recording.h"
#include "jrec/select/known_events.h"

namespace jrec {
namespace {

using jfr::read::Annotation;
using jfr::read::Chunk;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Metadata;
using jfr::read::Type;

std::string_view simple_name(std::string_view name) { return name.substr(name.rfind('.') + 1); }
std::string_view package_of(std::string_view name) { return name.substr(0, name.rfind('.') + 1); }

// Text in quotes, everything else as it is: the annotation's own field says which.
void append_member(const Type* annotation, std::string_view text, std::string& out) {
  const bool bare = annotation != nullptr && !annotation->fields.empty() && annotation->fields[0].kind != Kind::kString;
  if (!bare) out += '"';
  append_plain(text, out);
  if (!bare) out += '"';
}

void append_annotation(const Metadata& metadata, const Annotation& annotation, std::string_view margin,
                       std::string& out) {
  if (annotation.type.empty()) return;
  out += margin;
  out += '@';
  append_plain(simple_name(annotation.type), out);
  const Type* type = metadata.find(annotation.type);
  if (!annotation.members.empty()) {
    const bool several = annotation.members.size() > 1;
    out += several ? "({" : "(";
    const char* separator = "";
    for (const auto& [name, text] : annotation.members) {
      out += separator;
      append_member(type, text, out);
      separator = ", ";
    }
    out += several ? "})" : ")";
  }
  out += '\n';
}

// What the value is in the end: boxes of one value are opened, as the tools that print values do.
std::string_view shown_type(const Metadata& metadata, const Field& field) {
  if (field.type == jfr::read::kNoType) return "?";
  const Type* type = &metadata.types()[field.type];
  for (int boxes = 0; boxes < 8 && type->simple && type->fields.size() == 1; ++boxes) {
    if (type->fields[0].type == jfr::read::kNoType) break;
    type = &metadata.types()[type->fields[0].type];
  }
  return simple_name(type->name);
}

void append_field(const Metadata& metadata, const Field& field, std::string& out) {
  for (const Annotation& annotation : field.annotations) append_annotation(metadata, annotation, "  ", out);
  out += "  ";
  append_plain(shown_type(metadata, field), out);
  out += field.array ? "[] " : " ";
  append_plain(field.name, out);
  out += ";\n";
}

// Where in the listing a type stands.
int group_of(const Type& type) {
  if (type.event) return 4;
  if (type.super == "jdk.jfr.SettingControl" || type.super == "jdk.jfr.Control") return 3;
  if (type.super == "java.lang.annotation.Annotation") return 2;
  return type.name.find('.') == std::string_view::npos ? 0 : 1;
}

}  // namespace

void append_type(const Metadata& metadata, const Type& type, std::string& out) {
  if (type.name.find('.') != std::string_view::npos) {
    out += "@Name(\"";
    append_plain(type.name, out);
    out += "\")\n";
  }
  for (const Annotation& annotation : type.annotations)
    if (annotation.type != "jdk.jfr.Name") append_annotation(metadata, annotation, "", out);
  out += "class ";
  append_plain(simple_name(type.name), out);
  if (!type.super.empty()) {
    out += " extends ";
    append_plain(type.super, out);
  }
  out += " {\n";
  const char* separator = "";
  for (const Field& field : type.fields) {
    out += separator;
    append_field(metadata, field, out);
    separator = "\n";
  }
  out += "}\n\n";
}

ExitCode run_metadata(const MetadataOptions& options, Output& out) {
  Recording recording(options.files, times_of(options.filter));
  if (!recording.open()) return recording.finish();
  base::Result<Filter> filter = Filter::compile(options.filter, recording.range());
  if (!filter) return recording.refuse(filter.error()), recording.finish();
  if (const base::Status known = known_events(recording, options.filter); !known)
    return recording.refuse(known.error()), recording.finish();
  const bool all = options.filter == FilterOptions();
  std::map<std::tuple<int, std::string, std::string>, std::string> types;  // by group, package and name
  recording.each_chunk([&](Chunk& chunk) {
    const ChunkFilter wanted(*filter, chunk, chunk.clock());
    for (const Type& type : chunk.metadata().types()) {
      if (!all && !(type.event && wanted.type(type))) continue;
      std::string& text = types[{group_of(type), std::string(package_of(type.name)), std::string(type.name)}];
      text.clear();
      append_type(chunk.metadata(), type, text);
    }
  });
  for (const auto& [name, text] : types) out.add(text);
  return recording.finish();
}

void declare_metadata(CommandList& commands) {
  const auto options = std::make_shared<MetadataOptions>();
  Command metadata = commands.add("metadata", "The event types of a recording: labels, units, fields",
                                  [options](Output& out) { return run_metadata(*options, out); });
  metadata.add_option("FILE", options->files, "recordings (.jfr), treated as one; - for standard input").required();
  add_event_options(metadata, options->filter);
}

}  // namespace jrec
