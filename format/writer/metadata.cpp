// SPDX-License-Identifier: Apache-2.0
#include "format/writer/metadata.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/writer/metadata_schema.h"

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

struct Element {
  using Attribute = std::pair<std::string_view, std::string>;

  std::string_view name;
  std::vector<Attribute> attributes = {};
  std::vector<Element> children = {};

  void encode(ByteSink& out, StringTable& strings) const {
    out.leb(strings.index(name));
    out.leb(attributes.size());
    for (const auto& [key, text] : attributes) {
      out.leb(strings.index(key));
      out.leb(strings.index(text));
    }
    out.leb(children.size());
    for (const Element& child : children) child.encode(out, strings);
  }
};

Element annotation_element(AnnotationId type) {
  return {"annotation", {{"class", std::to_string(static_cast<uint32_t>(type))}}};
}

void annotate(Element& element, Annotation annotation) {
  if (annotation.type == AnnotationId::kNone) return;
  Element child = annotation_element(annotation.type);
  if (!annotation.value.empty()) child.attributes.emplace_back("value", annotation.value);
  element.children.push_back(std::move(child));
}

void annotate_category(Element& element, const std::array<std::string_view, 3>& category) {
  constexpr std::string_view kKeys[] = {"value-0", "value-1", "value-2"};
  if (category[0].empty()) return;
  Element child = annotation_element(AnnotationId::kCategory);
  for (size_t i = 0; i < category.size() && !category[i].empty(); ++i)
    child.attributes.emplace_back(kKeys[i], category[i]);
  element.children.push_back(std::move(child));
}

Element field_element(const Field& field) {
  Element element{"field",
                  {{"name", std::string(field.name)}, {"class", std::to_string(static_cast<uint32_t>(field.type))}}};
  if (field.array) element.attributes.emplace_back("dimension", "1");
  if (field.pooled) element.attributes.emplace_back("constantPool", "true");
  for (const Annotation& annotation : field.annotations) annotate(element, annotation);
  return element;
}

std::string_view super_type(Kind kind) {
  if (kind == Kind::kEvent) return "jdk.jfr.Event";
  if (kind == Kind::kAnnotation) return "java.lang.annotation.Annotation";
  return {};
}

Element class_element(const Type& type) {
  Element element{"class", {{"name", std::string(type.name)}}};
  if (!super_type(type.kind).empty()) element.attributes.emplace_back("superType", super_type(type.kind));
  if (type.kind == Kind::kSimple) element.attributes.emplace_back("simpleType", "true");
  element.attributes.emplace_back("id", std::to_string(type.id));
  for (const Field& field : type.fields) element.children.push_back(field_element(field));
  if (!type.label.empty()) annotate(element, {AnnotationId::kLabel, type.label});
  if (!type.description.empty()) annotate(element, {AnnotationId::kDescription, type.description});
  annotate_category(element, type.category);
  annotate(element, {type.mark});
  return element;
}

Element root_element(Region region) {
  Element metadata{"metadata"};
  for (const Type& type : constant_types()) metadata.children.push_back(class_element(type));
  for (const Type& type : event_types()) metadata.children.push_back(class_element(type));
  Element root{"root"};
  root.children.push_back(std::move(metadata));
  root.children.push_back({"region", {{"locale", "en_US"}, {"gmtOffset", std::to_string(region.gmt_offset_ms)}}});
  return root;
}

// FNV-1a, cut to 56 bits so that the id is a positive number for everybody.
uint64_t content_id(std::span<const uint8_t> content) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint8_t byte : content) hash = (hash ^ byte) * 0x100000001b3;
  return (hash ^ hash >> 56) & ((uint64_t{1} << 56) - 1);
}

}  // namespace

void encode_metadata(ByteSink& out, int64_t start_ticks, Region region) {
  StringTable strings;
  ByteSink tree;
  root_element(region).encode(tree, strings);
  ByteSink content;
  strings.encode(content);
  content.raw(tree.bytes());

  const size_t at = out.reserve_size();
  out.leb(static_cast<uint64_t>(TypeId::kMetadata));
  out.leb_i64(start_ticks);
  out.leb(0);  // duration
  out.leb(content_id(content.bytes()));
  out.raw(content.bytes());
  out.patch_size(at, static_cast<uint32_t>(out.size() - at));
}

}  // namespace jfr
