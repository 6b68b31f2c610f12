// SPDX-License-Identifier: Apache-2.0
#include "format/writer/metadata.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/writer/metadata_element.h"
#include "format/writer/metadata_schema.h"

namespace jfr {
namespace {

using Element = MetadataElement;

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

}  // namespace

void encode_metadata(ByteSink& out, int64_t start_ticks, Region region) {
  [[maybe_unused]] const bool fits = encode_metadata(out, start_ticks, root_element(region));
  assert(fits && "the types that we know are a few dozen kilobytes");
}

}  // namespace jfr
