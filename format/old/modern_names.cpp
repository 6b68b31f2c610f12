// SPDX-License-Identifier: Apache-2.0
#include "format/old/modern_names.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "format/old/name_tables.h"

namespace jfr::old {
namespace {

constexpr std::string_view kHotSpot = "http://www.oracle.com/hotspot/";
constexpr std::string_view kJRockit = "http://www.oracle.com/jrockit/";

template <size_t kCount>
const Name* find(const Name (&names)[kCount], std::string_view old_name) {
  const auto at = std::ranges::find(names, old_name, &Name::old_name);
  return at == std::end(names) ? nullptr : &*at;
}

std::string human(std::string_view segment) {
  if (const Name* known = find(kSegments, segment)) return std::string(known->name);
  std::string text(segment);
  std::ranges::replace(text, '_', ' ');
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string as_identifier(std::string_view word) {
  std::string name;
  for (const char c : word) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (name.empty() && !letter) name += '_';
    if (letter || digit) name += c;
    if (!letter && !digit && name != "_") name += '_';
  }
  if (name.empty() || std::ranges::find(kKeywords, name) != std::end(kKeywords)) name += '_';
  return name;
}

// "wls/JDBC/Get XA" as "wls.JDBC.Get_XA": the JDK's reader wants names of types to be names in Java.
std::string dotted(std::string_view path) {
  std::string name;
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/')) {
    name += as_identifier(path.substr(0, slash)) + '.';
    path.remove_prefix(slash + 1);
  }
  return name + as_identifier(path);
}

// "http://www.oracle.com/wls/flightrecorder/low/" as "wls/flightrecorder/low".
std::string_view path_of(std::string_view uri) {
  if (const size_t scheme = uri.find("://"); scheme != uri.npos) uri.remove_prefix(scheme + 3);
  if (const size_t slash = uri.find('/'); slash != uri.npos) uri.remove_prefix(slash + 1);
  while (uri.ends_with('/')) uri.remove_suffix(1);
  return uri;
}

}  // namespace

std::string event_name(const EventType& type) {
  const bool hotspot = type.uri.starts_with(kHotSpot), jrockit = type.uri.starts_with(kJRockit);
  const Name* known = find(kEvents, type.path);
  if (known != nullptr && (hotspot || (jrockit && known->jrockit))) return "jdk." + std::string(known->name);
  return dotted(type.path);
}

std::vector<std::string> category_of(std::string_view path) {
  std::vector<std::string> category;
  for (size_t slash = path.find('/'); slash != path.npos && category.size() < kMostDepth; slash = path.find('/')) {
    category.push_back(human(path.substr(0, slash)));
    path.remove_prefix(slash + 1);
  }
  return category;
}

std::string pool_name(const Pool& pool) {
  if (!pool.uri.starts_with(kHotSpot) && !pool.uri.starts_with(kJRockit))
    return dotted(path_of(pool.uri)) + "." + dotted(pool.name);
  const Name* known = find(kPools, pool.name);
  return known != nullptr ? std::string(known->name) : "jdk.types." + dotted(pool.name);
}

std::string_view structure_name(const Structure& structure) {
  for (const Shape& shape : kShapes) {
    const auto end = std::ranges::find(shape.fields, std::string_view());
    if (std::ranges::equal(std::span(shape.fields.begin(), end), structure.fields, {}, {}, &Field::id))
      return shape.name;
  }
  return {};
}

std::string field_name(std::string_view type, std::string_view field) {
  for (const FieldName& known : kFields)
    if (known.type == type && known.old_name == field) return std::string(known.name);
  return std::string(field);
}

}  // namespace jfr::old
