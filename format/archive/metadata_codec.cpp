// SPDX-License-Identifier: Apache-2.0
#include "format/archive/metadata_codec.h"

#include <algorithm>
#include <numeric>

#include "format/archive/metadata_content.h"
#include "format/archive/metadata_model.h"
#include "format/archive/text_order.h"
#include "format/archive/words.h"

namespace jfr::archive {
namespace {

std::vector<uint32_t> hashes_of(const std::vector<MetadataText>& texts) {
  std::vector<uint32_t> hashes;
  for (const MetadataText& text : texts) hashes.push_back(text.java_hash());
  return hashes;
}

// Renumbers the texts in the order of their naming if they stand in that of a hash set: the logarithm of its capacity.
uint32_t undo_set_order(MetadataContent& content) {
  const std::vector<uint32_t> order = content.naming_order(), hashes = hashes_of(content.texts);
  std::vector<uint32_t> named(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) named[order[i]] = i;
  for (uint32_t log = 1; log <= kMostCapacityLog; ++log) {
    if (!is_set_order(hashes, named, log)) continue;
    content.renumber(order);
    return log;
  }
  return 0;
}

// As they stood in the set.
void redo_set_order(MetadataContent& content, uint32_t log) {
  if (log != 0) content.renumber(set_order(hashes_of(content.texts), log));
}

class MetadataEncoder {
 public:
  std::vector<uint8_t> run(MetadataContent& content, int level, NewCodings news, const ReadyBase& words) {
    put(model_.order, undo_set_order(content));
    put(model_.texts, content.texts.size());
    model_.set_texts(content.texts.size());
    for (const MetadataElement& element : content.elements) put_element(element);
    for (size_t i = 0; i < content.texts.size(); ++i) put_text(content.texts[i], model_.group_of_text(i));
    return pack_blocks_at(level, model_.streams.to_blocks(news), words.blocks.get(), words.dictionaries.get());
  }

 private:
  void put(uint32_t stream, uint64_t value) { model_.streams.numbers(stream).put(value); }

  void put_element(const MetadataElement& element) {
    put_sort(element.sort);
    model_.name(element.sort[0], 0);
    for (size_t i = 0; i < element.values.size(); ++i) {
      model_.name(element.sort[i + 1], 0);
      const uint32_t group = model_.group(element.sort[i + 1]);
      put(model_.groups[group].values, model_.code_of(element.values[i]));
      model_.name(element.values[i], group);
    }
    put(model_.children, element.children);
  }

  void put_sort(const MetadataModel::Sort& sort) {
    const auto [known, is_new] = model_.sort_numbers.try_emplace(sort, model_.sort_numbers.size());
    put(model_.sorts, known->second);
    if (!is_new) return;
    put(model_.sort_sizes, sort.size());
    for (const uint64_t text : sort) put(model_.sort_texts, text);
  }

  void put_text(const MetadataText& text, const TextGroup& group) {
    put(model_.codings, static_cast<uint64_t>(text.coding));
    if (!text.has_units()) return;
    put(group.lengths, text.units.size());
    for (const uint64_t unit : text.units) put(group.units, unit);
  }

  MetadataModel model_;
};

class MetadataDecoder {
 public:
  explicit MetadataDecoder(uint64_t size) : size_(size) {}

  std::optional<MetadataContent> run(std::span<const uint8_t> packed, const Blocks* words) {
    const uint64_t limit = value_limit(size_);
    const auto blocks = unpack_blocks(packed, limit, words);
    if (!blocks || !model_.streams.from_blocks(*blocks, limit)) return std::nullopt;
    const uint64_t log = next(model_.order), texts = next(model_.texts);
    if (texts > size_ || log > kMostCapacityLog) return std::nullopt;
    model_.set_texts(texts);
    for (uint64_t open = 1; open > 0 && ok(); --open) open += take_element();
    for (uint64_t i = 0; i < texts && ok(); ++i) take_text(model_.group_of_text(i));
    if (!ok()) return std::nullopt;
    redo_set_order(content_, static_cast<uint32_t>(log));
    return std::move(content_);
  }

 private:
  uint64_t next(uint32_t stream) { return model_.streams.next(stream); }
  bool ok() const { return model_.streams.ok(); }
  bool name(uint64_t text, uint32_t group) {
    if (!model_.name(text, group)) model_.streams.fail();
    return ok();
  }

  // How many children it has.
  uint64_t take_element() {
    const uint64_t number = next(model_.sorts);
    if (number == model_.known_sorts.size()) add_sort();
    if (number >= model_.known_sorts.size()) model_.streams.fail();
    if (!ok()) return 0;
    MetadataElement element;
    element.sort = model_.known_sorts[number];
    element.values.reserve(element.sort.size() - 1);
    name(element.sort[0], 0);
    for (size_t i = 1; i < element.sort.size() && name(element.sort[i], 0); ++i) {
      const uint32_t group = model_.group(element.sort[i]);
      element.values.push_back(model_.text_of(next(model_.groups[group].values)));
      name(element.values.back(), group);
    }
    element.children = next(model_.children);
    if (element.children > size_) model_.streams.fail();
    content_.elements.push_back(std::move(element));
    return ok() ? content_.elements.back().children : 0;
  }

  void add_sort() {
    const uint64_t size = next(model_.sort_sizes);
    if (size == 0 || size > size_) return model_.streams.fail();
    MetadataModel::Sort sort;
    for (uint64_t i = 0; i < size && ok(); ++i) sort.push_back(next(model_.sort_texts));
    model_.known_sorts.push_back(std::move(sort));
  }

  void take_text(const TextGroup& group) {
    MetadataText text;
    text.coding = static_cast<TextCoding>(next(model_.codings));
    uint64_t left = text.has_units() ? next(group.lengths) : 0;
    text.units.reserve(std::min(left, model_.streams.numbers(group.units).in.left()));
    for (; left > 0 && ok(); --left) text.units.push_back(next(group.units));
    content_.texts.push_back(std::move(text));
  }

  const uint64_t size_;
  MetadataModel model_;
  MetadataContent content_;
};

}  // namespace

std::optional<std::vector<uint8_t>> encode_metadata(std::span<const uint8_t> content, int level, NewCodings news) {
  auto read = MetadataContent::read(content);
  if (!read) return std::nullopt;
  const ReadyBase words = news.words ? metadata_words() : ReadyBase();
  std::vector<uint8_t> packed = MetadataEncoder().run(*read, level, news, words);
  const auto back = decode_metadata(packed, content.size(), words.blocks.get());
  if (!back || !std::ranges::equal(*back, content)) return std::nullopt;
  return packed;
}

std::optional<std::vector<uint8_t>> decode_metadata(std::span<const uint8_t> packed, uint64_t size,
                                                    const Blocks* words) {
  const auto content = MetadataDecoder(size).run(packed, words);
  if (!content) return std::nullopt;
  std::vector<uint8_t> bytes = content->write();
  if (bytes.size() != size) return std::nullopt;
  return bytes;
}

}  // namespace jfr::archive
