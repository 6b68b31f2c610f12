// SPDX-License-Identifier: Apache-2.0
#include "format/old/schema.h"

#include <algorithm>

#include "format/old/modern_names.h"
#include "format/old/schema_types.h"
#include "format/old/settings.h"

namespace jfr::old {
namespace {

constexpr uint64_t kFirstFreeId = 3;  // behind metadata, checkpoints and lost events

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
  group_pool_ = find_group_pool();
  stack_type_ = stack_pool_ != kNone ? pools_[stack_pool_].type_id : next_id_++;
}

// A group that would be a thread is none: threads have groups.
uint32_t Schema::find_group_pool() const {
  if (java_thread_pool_ == kNone || pools_[java_thread_pool_].group == kNone) return kNone;
  const Structure& owner = description_.structures[description_.pools[java_thread_pool_].structure];
  const Field& field = owner.fields[pools_[java_thread_pool_].group];
  const uint32_t pool = field.type == DataType::kArray ? kNone : description_.pool_of(field);
  return pool != kNone && pools_[pool].role == PoolRole::kPlain ? pool : kNone;
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

}  // namespace jfr::old
