// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include "format/old/modern_names.h"
#include "format/old/schema.h"
#include "format/old/schema_types.h"

namespace jfr::old {

namespace {

bool has_no_sign(DataType type) {
  return type == DataType::kU1 || type == DataType::kU2 || type == DataType::kU4 || type == DataType::kU8;
}

MetadataElement annotation(uint64_t type, std::string_view value = {}) {
  MetadataElement element{"annotation", {{"class", std::to_string(type)}}};
  if (!value.empty()) element.set("value", std::string(value));
  return element;
}

MetadataElement class_element(std::string_view name, uint64_t id, std::string_view super = {}) {
  MetadataElement element{"class", {{"name", std::string(name)}}};
  if (!super.empty()) element.set("superType", std::string(super));
  element.set("id", std::to_string(id));
  return element;
}

// What a number stands for.
std::pair<AnnotationOf, std::string_view> meaning_of(uint32_t content) {
  switch (content) {
    case kBytes: return {kDataAmount, "BYTES"};
    case kEpochMillis: return {kTimestamp, "MILLISECONDS_SINCE_EPOCH"};
    case kMillis: return {kTimespan, "MILLISECONDS"};
    case kNanos: return {kTimespan, "NANOSECONDS"};
    case kTicks: return {kTimespan, "TICKS"};
    case kAddress: return {kAddressMark, {}};
    case kPercentage: return {kPercentageMark, {}};
    default: return {kLabel, {}};
  }
}

bool is_text(DataType type) { return type == DataType::kUtf8 || type == DataType::kString; }

}  // namespace

MetadataElement Schema::plain_field(std::string_view name, uint64_t type) const {
  return {"field", {{"name", std::string(name)}, {"class", std::to_string(type)}}};
}

MetadataElement Schema::pooled_field(std::string_view name, uint64_t type) const {
  MetadataElement element = plain_field(name, type);
  element.set("constantPool", "true");
  return element;
}

MetadataElement Schema::field_element(std::string_view owner, const FieldPlan& plan) const {
  const Field& field = *plan.field;
  MetadataElement element = plain_field(field_name(owner, field.id), type_of(plan));
  if (field.type == DataType::kArray || field.type == DataType::kStructArray) element.set("dimension", "1");
  if (plan.pool != kNone) element.set("constantPool", "true");
  const uint64_t first = first_id_ + std::size(kPrimitives);
  if (!field.label.empty()) element.add(annotation(first + kLabel, field.label));
  if (!field.text.empty()) element.add(annotation(first + kDescription, field.text));
  if (plan.pool != kNone || field.type > DataType::kArray) return element;
  const DataType type = field.type == DataType::kArray ? field.element : field.type;
  if (has_no_sign(type)) element.add(annotation(first + kUnsigned));
  const auto [mark, unit] = meaning_of(field.content);
  if (mark != kLabel && !is_text(type) && type != DataType::kBoolean) element.add(annotation(first + mark, unit));
  return element;
}

void Schema::add_fields(MetadataElement& type, const StructurePlan& plan, std::string_view owner) const {
  std::set<std::string> taken;  // by fields that every event has
  for (const MetadataElement& child : type.children)
    if (child.name == "field") taken.insert(child.attributes.front().second);
  const bool is_event = !taken.empty();
  if (is_event) taken.insert("duration");  // readers look for it in its place only
  for (const FieldPlan& field : plan.fields) {
    MetadataElement element = field_element(owner, field);
    std::string& name = element.attributes.front().second;
    while (!taken.insert(name).second) name += '_';
    type.add(std::move(element));
  }
}

MetadataElement Schema::event_element(uint32_t index) const {
  const EventType& type = description_.events[index];
  const uint64_t first = first_id_ + std::size(kPrimitives);
  MetadataElement element = class_element(events_[index].name, type.id, "jdk.jfr.Event");
  element.add(plain_field("startTime", first_id_ + kLongId)).add(annotation(first + kTimestamp, "TICKS"));
  if (index == settings_) return setting_element(std::move(element));
  if (type.has_start)
    element.add(plain_field("duration", first_id_ + kLongId)).add(annotation(first + kTimespan, "TICKS"));
  if (type.has_thread) element.add(pooled_field("eventThread", thread_type_));
  if (type.has_stack) element.add(pooled_field("stackTrace", stack_type_));
  add_fields(element, structures_[type.structure], events_[index].name);
  if (!type.label.empty()) element.add(annotation(first + kLabel, type.label));
  if (!type.text.empty()) element.add(annotation(first + kDescription, type.text));
  MetadataElement category = annotation(first + kCategory);
  constexpr std::string_view kKeys[] = {"value-0", "value-1", "value-2", "value-3", "value-4"};
  size_t depth = 0;
  for (std::string& segment : category_of(type.path))
    if (depth < std::size(kKeys)) category.set(kKeys[depth++], std::move(segment));
  if (depth != 0) element.add(std::move(category));
  return element;
}

MetadataElement Schema::setting_element(MetadataElement element) const {
  const uint64_t first = first_id_ + std::size(kPrimitives);
  element.add(plain_field("id", first_id_ + kLongId));
  element.add(plain_field("name", first_id_ + kStringId));
  element.add(plain_field("value", first_id_ + kStringId));
  element.add(annotation(first + kLabel, "Recording Setting"));
  element.add(annotation(first + kCategory)).set("value-0", "Flight Recorder");
  return element;
}

MetadataElement Schema::thread_element() const {
  MetadataElement element = class_element("java.lang.Thread", thread_type_);
  element.add(plain_field("osName", first_id_ + kStringId));
  element.add(plain_field("osThreadId", first_id_ + kLongId));
  element.add(plain_field("javaName", first_id_ + kStringId));
  element.add(plain_field("javaThreadId", first_id_ + kLongId));
  if (group_pool_ != kNone) element.add(pooled_field("group", pools_[group_pool_].type_id));
  return element;
}

// Types that the description does not have.
void Schema::add_helpers(MetadataElement& metadata) const {
  for (uint64_t i = 0; i < std::size(kPrimitives); ++i) metadata.add(class_element(kPrimitives[i], first_id_ + i));
  for (uint64_t i = 0; i < std::size(kAnnotations); ++i) {
    MetadataElement& type = metadata.add(
        class_element(kAnnotations[i].name, first_id_ + std::size(kPrimitives) + i, "java.lang.annotation.Annotation"));
    if (!kAnnotations[i].has_value) continue;
    MetadataElement& value = type.add(plain_field("value", first_id_ + kStringId));
    if (kAnnotations[i].texts) value.set("dimension", "1");
  }
  metadata.add(thread_element());
  MetadataElement& loader = metadata.add(class_element("jdk.types.ClassLoader", loader_type_));
  if (class_pool_ != kNone) loader.add(pooled_field("type", pools_[class_pool_].type_id));
  loader.add(plain_field("name", first_id_ + kStringId));
  if (stack_pool_ == kNone) metadata.add(class_element("jdk.types.StackTrace", stack_type_));
}

MetadataElement Schema::metadata() const {
  MetadataElement metadata{"metadata"};
  add_helpers(metadata);
  const auto add_structure = [&](std::string_view name, uint64_t id, const StructurePlan& plan, bool simple) {
    MetadataElement& type = metadata.add(class_element(name, id));
    if (simple) type.set("simpleType", "true");
    add_fields(type, plan, name);
    for (const Extra& extra : plan.extras) type.add(plain_field(extra.name, first_id_ + primitive_of(extra.type)));
  };
  for (uint32_t i = 0; i < pools_.size(); ++i) {
    if (pools_[i].role != PoolRole::kPlain || !description_.can_hold_constants(i)) continue;
    const StructurePlan& plan = structures_[description_.pools[i].structure];
    const bool simple = plan.fields.size() == 1 && is_text(plan.fields.front().field->type);
    add_structure(pool_name(description_.pools[i]), pools_[i].type_id, plan, simple);
  }
  for (uint32_t i = 0; i < structures_.size(); ++i)
    if (structures_[i].type_id != 0 && description_.structures[i].usable)
      add_structure(structures_[i].name, structures_[i].type_id, structures_[i], false);
  for (uint32_t i = 0; i < events_.size(); ++i)
    if (events_[i].readable && description_.event_of(description_.events[i].id) == i) metadata.add(event_element(i));
  if (description_.event_of(kLostType) == kNone) metadata.add(lost_element());
  MetadataElement root{"root"};
  root.add(std::move(metadata));
  // The ticks keep apart the metadata of two chunks: those of one id are shown by the clock of the first, and here each
  // chunk tells its start to the millisecond only.
  root.add({"region",
            {{"locale", std::string(description_.locale)},
             {"gmtOffset", std::to_string(description_.utc_offset_ms)},
             {"startTicks", std::to_string(description_.start_ticks)}}});
  return root;
}

MetadataElement Schema::lost_element() const {
  const uint64_t first = first_id_ + std::size(kPrimitives);
  MetadataElement element = class_element("jdk.DataLoss", kLostType, "jdk.jfr.Event");
  element.add(plain_field("startTime", first_id_ + kLongId)).add(annotation(first + kTimestamp, "TICKS"));
  element.add(pooled_field("eventThread", thread_type_));
  element.add(plain_field("amount", first_id_ + kLongId)).add(annotation(first + kDataAmount, "BYTES"));
  element.add(annotation(first + kLabel, "Data Loss"));
  element.add(annotation(first + kCategory)).set("value-0", "Flight Recorder");
  return element;
}

}  // namespace jfr::old
