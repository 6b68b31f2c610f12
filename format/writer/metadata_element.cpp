// SPDX-License-Identifier: Apache-2.0
#include "format/writer/metadata_element.h"

#include <map>

#include "format/header_layout.h"

namespace jfr {
namespace {

// Texts in the order of first use; an element says each of them by its index.
class StringTable {
 public:
  uint32_t index(std::string_view text) {
    const auto [entry, is_new] = indexes_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(entry->first);
    return entry->second;
  }
  void encode(ByteSink& out) const {
    out.leb(texts_.size());
    for (std::string_view text : texts_) out.text(text);
  }

 private:
  std::map<std::string, uint32_t> indexes_;
  std::vector<std::string_view> texts_;  // views of the map's keys, which stay where they are
};

void encode(const MetadataElement& element, ByteSink& out, StringTable& strings) {
  out.leb(strings.index(element.name));
  out.leb(element.attributes.size());
  for (const auto& [key, text] : element.attributes) {
    out.leb(strings.index(key));
    out.leb(strings.index(text));
  }
  out.leb(element.children.size());
  for (const MetadataElement& child : element.children) encode(child, out, strings);
}

// FNV-1a, cut to 56 bits so that the id is a positive number for everybody.
uint64_t content_id(std::span<const uint8_t> content) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint8_t byte : content) hash = (hash ^ byte) * 0x100000001b3;
  return (hash ^ hash >> 56) & ((uint64_t{1} << 56) - 1);
}

}  // namespace

MetadataElement& MetadataElement::add(MetadataElement child) {
  children.push_back(std::move(child));
  return children.back();
}

bool encode_metadata(ByteSink& out, int64_t start_ticks, const MetadataElement& root) {
  constexpr size_t kMostInFront = 64;  // size, type, times and id
  StringTable strings;
  ByteSink tree;
  encode(root, tree, strings);
  ByteSink content;
  strings.encode(content);
  content.raw(tree.bytes());
  if (content.size() > kMaxPaddedSize - kMostInFront) return false;

  const size_t at = out.reserve_size();
  out.leb(kMetadataType);
  out.leb_i64(start_ticks);
  out.leb(0);  // duration
  out.leb(content_id(content.bytes()));
  out.raw(content.bytes());
  out.patch_size(at, static_cast<uint32_t>(out.size() - at));
  return true;
}

}  // namespace jfr
