// SPDX-License-Identifier: Apache-2.0
// A metadata event is a tree of elements, each with a name, attributes and children. Every name, key and value is a
// text in a table in front of the tree, and an element says which.
//
//   size padded u4 | type 0 | start ticks | duration 0 | metadata id | string count, strings | root element
//   element: name | attribute count, (key, value)* | child count, elements
//
// The metadata id is a hash of the content: the JDK reuses the descriptor of the previous chunk when ids are equal, so
// the id must change with the content, and nobody has to remember that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/writer/byte_sink.h"

namespace jfr {

struct MetadataElement {
  using Attribute = std::pair<std::string_view, std::string>;

  std::string_view name;  // names and keys outlive the element
  std::vector<Attribute> attributes = {};
  std::vector<MetadataElement> children = {};

  MetadataElement& add(MetadataElement child);  // as the last child; good until the next one
  void set(std::string_view key, std::string value) { attributes.emplace_back(key, std::move(value)); }
};

// Appends the event whose tree has that root. False, and nothing is appended: it is larger than an event may be.
bool encode_metadata(ByteSink& out, int64_t start_ticks, const MetadataElement& root);

}  // namespace jfr
