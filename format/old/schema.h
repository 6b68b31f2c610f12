// SPDX-License-Identifier: Apache-2.0
// Schema says what becomes of the types of a chunk of version 0.9 in one of version 2: which ids and names they get,
// what their fields are, and the metadata that tells so.
//
//   0.9                                            2.x
//   end ticks, start ticks                         startTime, duration
//   thread, stack trace of an event                eventThread, stackTrace
//   pools Thread, JavaThread, VMThread             java.lang.Thread: an id of the system and one of Java, one name for both
//   the class of a class's loader                  jdk.types.ClassLoader of that class
//   structures inside of events and constants      the same, with names that are known by their fields
//   types of events                                the same ids
//
// What every reader of today wants, and the old format does not have, gets a value that says so: see extras.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/old/description.h"
#include "format/writer/metadata_element.h"

namespace jfr::old {

// A field that the old type lacks.
struct Extra {
  std::string_view name;
  DataType type;  // kBoolean or kInt
  int32_t value;
};

struct FieldPlan {
  const Field* field = nullptr;
  uint32_t pool = kNone;   // its number is a key of that pool
  bool is_loader = false;  // of classes, and means their loader
};

struct StructurePlan {
  std::vector<FieldPlan> fields;
  std::vector<Extra> extras;
  uint64_t type_id = 0;  // where it is inside of something
  std::string name;
};

// How a pool becomes one of today.
enum class PoolRole : uint8_t { kPlain, kThread, kJavaThread, kVmThread };

struct PoolPlan {
  PoolRole role = PoolRole::kPlain;
  uint64_t type_id = 0;
  uint32_t thread = kNone, group = kNone, name = kNone;  // which of its fields, of threads
};

struct EventPlan {
  std::string name;
  bool readable = false;
  uint32_t kilobytes = kNone;  // a field that counts these, and says that it counts bytes
};

class Schema {
 public:
  // The description must outlive it.
  explicit Schema(const Description& description);

  const StructurePlan& structure(uint32_t index) const { return structures_[index]; }
  const PoolPlan& pool(uint32_t index) const { return pools_[index]; }
  const EventPlan& event(uint32_t index) const { return events_[index]; }
  uint32_t thread_pool() const { return thread_pool_; }
  uint32_t java_thread_pool() const { return java_thread_pool_; }
  uint32_t stack_pool() const { return stack_pool_; }
  uint32_t group_pool() const { return group_pool_; }  // of what java.lang.Thread says its group is
  uint64_t thread_type() const { return thread_type_; }
  uint64_t loader_type() const { return loader_type_; }
  uint32_t settings() const { return settings_; }  // the event that becomes jdk.ActiveSetting, one for each setting

  MetadataElement metadata() const;

 private:
  void plan_pools();
  uint32_t find_group_pool() const;
  void plan_structures();
  void name_structure(uint32_t index, std::string_view name);
  void plan_events();
  uint64_t type_of(const FieldPlan& plan) const;

  MetadataElement field_element(std::string_view owner, const FieldPlan& plan) const;
  MetadataElement plain_field(std::string_view name, uint64_t type) const;
  MetadataElement pooled_field(std::string_view name, uint64_t type) const;
  MetadataElement event_element(uint32_t index) const;
  MetadataElement setting_element(MetadataElement element) const;
  MetadataElement thread_element() const;
  MetadataElement lost_element() const;  // jdk.DataLoss, which no metadata of 0.9 describes
  void add_fields(MetadataElement& type, const StructurePlan& plan, std::string_view owner) const;
  void add_helpers(MetadataElement& metadata) const;

  const Description& description_;
  std::vector<StructurePlan> structures_;
  std::vector<PoolPlan> pools_;
  std::vector<EventPlan> events_;
  uint32_t thread_pool_ = kNone, java_thread_pool_ = kNone, stack_pool_ = kNone, class_pool_ = kNone;
  uint32_t group_pool_ = kNone;
  uint32_t settings_ = kNone;
  uint64_t first_id_ = 0;  // of the types that are no events; primitives and annotations come first
  uint64_t thread_type_ = 0, loader_type_ = 0, stack_type_ = 0, next_id_ = 0;
};

}  // namespace jfr::old
