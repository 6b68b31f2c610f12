// SPDX-License-Identifier: Apache-2.0
#include "format/reader/java_names.h"

#include <algorithm>
#include <cstddef>

namespace jfr::read {
namespace {

constexpr size_t kMaxDimensions = 255;  // of an array, by the class file format

std::string_view primitive(char code) {
  switch (code) {
    case 'B': return "byte";
    case 'C': return "char";
    case 'D': return "double";
    case 'F': return "float";
    case 'I': return "int";
    case 'J': return "long";
    case 'S': return "short";
    case 'Z': return "boolean";
    default: return {};
  }
}

size_t dimensions(std::string_view text) {
  const size_t count = std::min(text.find_first_not_of('['), text.size());
  return std::min(count, kMaxDimensions);
}

void append_dotted(std::string_view name, std::string& out) {
  const size_t from = out.size();
  out += name;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), '/', '.');
}

void append_brackets(size_t count, std::string& out) {
  for (; count > 0; --count) out += "[]";
}

}  // namespace

void append_class_name(std::string_view internal, std::string& out) {
  const size_t arrays = dimensions(internal);
  const std::string_view element = internal.substr(arrays);
  if (arrays != 0 && element.size() == 1 && !primitive(element[0]).empty())
    out += primitive(element[0]);
  else if (arrays != 0 && element.size() > 2 && element.front() == 'L' && element.back() == ';')
    append_dotted(element.substr(1, element.size() - 2), out);
  else
    return append_dotted(internal, out);
  append_brackets(arrays, out);
}

void append_parameters(std::string_view descriptor, std::string& out) {
  if (descriptor.empty() || descriptor.front() != '(') return;
  descriptor.remove_prefix(1);
  const char* separator = "";
  while (!descriptor.empty() && descriptor.front() != ')') {
    const size_t arrays = dimensions(descriptor);
    descriptor.remove_prefix(arrays);
    if (descriptor.empty()) return;
    std::string_view name = primitive(descriptor.front());
    size_t used = 1;
    if (name.empty()) {
      const size_t end = descriptor.find(';');
      if (descriptor.front() != 'L' || end == std::string_view::npos) return;
      name = descriptor.substr(1, end - 1);
      name.remove_prefix(name.rfind('/') + 1);
      used = end + 1;
    }
    out += separator;
    out += name;
    append_brackets(arrays, out);
    descriptor.remove_prefix(used);
    separator = ", ";
  }
}

bool of_the_jdk(std::string_view dotted) {
  for (const std::string_view package : {"java.", "javax.", "jdk.", "sun.", "com.sun."})
    if (dotted.starts_with(package)) return true;
  return false;
}

}  // namespace jfr::read
