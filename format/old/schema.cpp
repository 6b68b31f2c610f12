// SPDX-License-Identifier: Apache-2.0
#include "format/old/schema.h"

#include <algorithm>
#include <set>
#include <utility>

#include "format/old/modern_names.h"
#include "format/old/settings.h"

namespace jfr::old {
namespace {

constexpr std::string_view kPrimitives[] = {"boolean", "byte",  "short",  "int",
                                            "long",    "float", "double", "java.lang.String"};
enum Primitive : uint64_t { kBooleanId, kByteId, kShortId, kIntId, kLongId, kFloatId, kDoubleId, kStringId };

struct AnnotationType {
  std::string_view name;
  bool texts = false;  // it has a value that is several texts
  bool has_value = true;
};
constexpr AnnotationType kAnnotations[] = {
    {"jdk.jfr.Label"},
    {"jdk.jfr.Description"},
    {"jdk.jfr.Category", true},
    {"jdk.jfr.Timestamp"},
    {"jdk.jfr.Timespan"},
    {"jdk.jfr.DataAmount"},
    {"jdk.jfr.Percentage", false, false},
    {"jdk.jfr.MemoryAddress", false, false},
    {"jdk.jfr.Unsigned", false, false},
};
enum AnnotationOf : uint64_t {
  kLabel,
  kDescription,
  kCategory,
  kTimestamp,
  kTimespan,
  kDataAmount,
  kPercentageMark,
  kAddressMark,
  kUnsigned
};

constexpr uint64_t kFirstFreeId = 3;  // behind metadata, checkpoints and lost events

Primitive primitive_of(DataType type) {
  constexpr Primitive kOf[] = {kBooleanId, kByteId, kByteId,  kShortId,  kShortId,  kIntId,   kIntId,
                               kLongId,    kLongId, kFloatId, kDoubleId, kStringId, kStringId};
  return kOf[std::min<size_t>(static_cast<size_t>(type), std::size(kOf) - 1)];
}

bool has_no_sign(DataType type) {
  return type == DataType::kU1 || type == DataType::kU2 || type == DataType::kU4 || type == DataType::kU8;
}

uint32_t index_of(const Structure& structure, std::string_view id) {
  const auto found = std::ranges::find(structure.fields, id, &Field::id);
  return found == structure.fields.end() ? kNone : static_cast<uint32_t>(found - structure.fields.begin());
}

bool is_loader(const Field& field) {
  return field.content == kClassPool && field.type != DataType::kArray &&
         (field.id == "loaderClass" || field.id == "loader" || field.id.ends_with("lassLoader"));
}

}  // namespace

Schema::Schema(const Description& description)
    : description_(description),
      structures_(description.structures.size()),
      pools_(description.pools.size()),
      events_(description.events.size()) {
  first_id_ = kFirstFreeId;
  for (const EventType& event : description.events) first_id_ = std::max<uint64_t>(first_id_, uint64_t{event.id} + 1);
  next_id_ = first_id_ + std::size(kPrimitives) + std::size(kAnnotations);
  plan_pools();
  plan_structures();
  plan_events();
}

void Schema::plan_pools() {
  thread_type_ = next_id_++;
  loader_type_ = next_id_++;
  const auto usable = [this](uint32_t pool) {
    return pool != kNone && description_.can_hold_constants(pool) ? pool : kNone;
  };
  thread_pool_ = usable(description_.pool_of(kThreadPool));
  java_thread_pool_ = usable(description_.pool_of(kJavaThreadPool));
  stack_pool_ = usable(description_.pool_of(kStackPool));
  class_pool_ = usable(description_.pool_of(kClassPool));
  for (uint32_t i = 0; i < pools_.size(); ++i) {
    const Structure& structure = description_.structures[description_.pools[i].structure];
    PoolPlan& plan = pools_[i];
    plan.name = index_of(structure, "name");
    plan.group = index_of(structure, "group");
    plan.thread = index_of(structure, "thread");
    const bool has_thread = thread_pool_ != kNone && plan.thread != kNone &&
                            description_.pool_of(structure.fields[plan.thread]) == thread_pool_;
    if (i == thread_pool_)
      plan.role = PoolRole::kThread;
    else if (i == java_thread_pool_ && has_thread)
      plan.role = PoolRole::kJavaThread;
    else if (has_thread && structure.fields.size() == 1)
      plan.role = PoolRole::kVmThread;
    plan.type_id = plan.role == PoolRole::kPlain ? next_id_++ : thread_type_;
  }
  if (java_thread_pool_ != kNone && pools_[java_thread_pool_].role != PoolRole::kJavaThread) java_thread_pool_ = kNone;
  stack_type_ = stack_pool_ != kNone ? pools_[stack_pool_].type_id : next_id_++;
}

void Schema::plan_structures() {
  for (uint32_t i = 0; i < structures_.size(); ++i)
    for (const Field& field : description_.structures[i].fields) {
      const uint32_t pool = description_.pool_of(field);
      structures_[i].fields.push_back({&field, pool, pool != kNone && pool == class_pool_ && is_loader(field)});
    }
  for (uint32_t i = 0; i < pools_.size(); ++i)
    if (description_.can_hold_constants(i))
      name_structure(description_.pools[i].structure, pool_name(description_.pools[i]));
  for (uint32_t i = 0; i < structures_.size(); ++i)
    for (const Field& field : description_.structures[i].fields) {
      if (field.type <= DataType::kArray || field.structure == kNone || structures_[field.structure].type_id != 0)
        continue;
      structures_[field.structure].type_id = next_id_++;
      const std::string_view known = structure_name(description_.structures[field.structure]);
      name_structure(field.structure,
                     known.empty() ? "jdk.types.Structure" + std::to_string(field.structure) : std::string(known));
    }
}

// What the JDK's own reader asks for by name is added where it is missing.
void Schema::name_structure(uint32_t index, std::string_view name) {
  StructurePlan& plan = structures_[index];
  if (!plan.name.empty()) return;
  plan.name = name;
  const auto has = [&](std::string_view field) { return index_of(description_.structures[index], field) != kNone; };
  if (name == "jdk.types.StackTrace" && !has("truncated")) plan.extras.push_back({"truncated", DataType::kBoolean, 0});
  if (name == "jdk.types.Method" && !has("hidden")) plan.extras.push_back({"hidden", DataType::kBoolean, 0});
  if (name == "jdk.types.StackFrame" && !has("bci")) plan.extras.push_back({"bytecodeIndex", DataType::kInt, -1});
}

void Schema::plan_events() {
  for (uint32_t i = 0; i < events_.size(); ++i) {
    const EventType& type = description_.events[i];
    EventPlan& plan = events_[i];
    plan.name = event_name(type);
    plan.readable = description_.structures[type.structure].usable && type.id > kCheckpointType;
    if (plan.name == "jdk.CodeCacheStatistics")
      plan.kilobytes = index_of(description_.structures[type.structure], "unallocatedCapacity");
    if (tells_settings(description_, type)) settings_ = i;
  }
}

uint64_t Schema::type_of(const FieldPlan& plan) const {
  if (plan.is_loader) return loader_type_;
  if (plan.pool != kNone) return pools_[plan.pool].type_id;
  const Field& field = *plan.field;
  if (field.type > DataType::kArray) return structures_[field.structure].type_id;
  return first_id_ + primitive_of(field.type == DataType::kArray ? field.element : field.type);
}

// --- The metadata ---

namespace {

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
  if (java_thread_pool_ == kNone || pools_[java_thread_pool_].group == kNone) return element;
  const Structure& owner = description_.structures[description_.pools[java_thread_pool_].structure];
  const uint32_t group = description_.pool_of(owner.fields[pools_[java_thread_pool_].group]);
  if (group != kNone) element.add(pooled_field("group", pools_[group].type_id));
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
