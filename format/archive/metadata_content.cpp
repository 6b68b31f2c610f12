// SPDX-License-Identifier: Apache-2.0
#include "format/archive/metadata_content.h"

#include <algorithm>

#include "base/leb128.h"
#include "format/archive/text_order.h"
#include "format/reader/cursor.h"

namespace jfr::archive {
namespace {

constexpr int kDeepest = 64;

class ContentReader {
 public:
  explicit ContentReader(std::span<const uint8_t> bytes) : in_(bytes, 0) {}

  std::optional<MetadataContent> run() {
    for (uint64_t count = bounded(); count > 0 && in_.ok(); --count) text();
    element(0);
    if (!in_.ok() || in_.remaining() != 0) return std::nullopt;
    return std::move(content_);
  }

 private:
  uint64_t leb() {
    const uint64_t at = in_.at(), value = in_.leb();
    if (in_.at() - at != base::leb_size(value)) in_.fail();
    return in_.ok() ? value : 0;
  }
  // Of things that take a byte each.
  uint64_t bounded() {
    const uint64_t value = leb();
    if (value > in_.remaining()) in_.fail();
    return in_.ok() ? value : 0;
  }
  // The number of a text.
  uint64_t named() {
    const uint64_t text = leb();
    if (text >= content_.texts.size()) in_.fail();
    return text;
  }

  void text() {
    MetadataText text;
    text.coding = static_cast<TextCoding>(in_.u8());
    if (text.coding > TextCoding::kLatin1 || text.coding == TextCoding::kConstant) in_.fail();
    uint64_t left = text.has_units() ? bounded() : 0;
    text.units.reserve(left);
    for (; left > 0 && in_.ok(); --left) text.units.push_back(text.coding == TextCoding::kChars ? leb() : in_.u8());
    content_.texts.push_back(std::move(text));
  }

  void element(int depth) {
    if (depth > kDeepest) in_.fail();
    MetadataElement element;
    element.sort.push_back(named());
    uint64_t left = bounded();
    const uint64_t most = std::min(left, in_.remaining() / 2);
    element.sort.reserve(1 + most);
    element.values.reserve(most);
    for (; left > 0 && in_.ok(); --left) {
      element.sort.push_back(named());
      element.values.push_back(named());
    }
    const uint64_t children = element.children = bounded();
    if (!in_.ok()) return;
    content_.elements.push_back(std::move(element));
    for (uint64_t i = 0; i < children && in_.ok(); ++i) this->element(depth + 1);
  }

  read::Cursor in_;
  MetadataContent content_;
};

void write_text(const MetadataText& text, std::vector<uint8_t>& out) {
  out.push_back(static_cast<uint8_t>(text.coding));
  if (!text.has_units()) return;
  base::append_leb(text.units.size(), out);
  for (const uint64_t unit : text.units)
    text.coding == TextCoding::kChars ? base::append_leb(unit, out) : out.push_back(static_cast<uint8_t>(unit));
}

void write_element(const MetadataElement& element, std::vector<uint8_t>& out) {
  base::append_leb(element.sort[0], out);
  base::append_leb(element.values.size(), out);
  for (size_t i = 0; i < element.values.size(); ++i) {
    base::append_leb(element.sort[i + 1], out);
    base::append_leb(element.values[i], out);
  }
  base::append_leb(element.children, out);
}

}  // namespace

uint32_t MetadataText::java_hash() const {
  JavaHash hash;
  for (const uint64_t unit : units) hash.add(unit);
  return hash.get();
}

std::optional<MetadataContent> MetadataContent::read(std::span<const uint8_t> bytes) {
  return ContentReader(bytes).run();
}

std::vector<uint8_t> MetadataContent::write() const {
  std::vector<uint8_t> out;
  base::append_leb(texts.size(), out);
  for (const MetadataText& text : texts) write_text(text, out);
  for (const MetadataElement& element : elements) write_element(element, out);
  return out;
}

std::vector<uint32_t> MetadataContent::naming_order() const {
  std::vector<uint32_t> order;
  std::vector<bool> named(texts.size(), false);
  const auto name = [&](uint64_t text) {
    if (!named[text]) order.push_back(static_cast<uint32_t>(text));
    named[text] = true;
  };
  for (const MetadataElement& element : elements) {
    name(element.sort[0]);
    for (size_t i = 0; i < element.values.size(); ++i) {
      name(element.sort[i + 1]);
      name(element.values[i]);
    }
  }
  for (size_t text = 0; text < texts.size(); ++text) name(text);
  return order;
}

void MetadataContent::renumber(const std::vector<uint32_t>& order) {
  std::vector<MetadataText> moved(texts.size());
  std::vector<uint64_t> number(texts.size());
  for (size_t i = 0; i < order.size(); ++i) {
    moved[i] = std::move(texts[order[i]]);
    number[order[i]] = i;
  }
  texts = std::move(moved);
  for (MetadataElement& element : elements) {
    for (uint64_t& text : element.sort) text = number[text];
    for (uint64_t& text : element.values) text = number[text];
  }
}

}  // namespace jfr::archive
