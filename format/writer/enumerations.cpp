// SPDX-License-Identifier: Apache-2.0
#include "format/writer/enumerations.h"

#include <string_view>

#include "format/writer/collection_constants.h"

namespace jfr {
namespace {

struct Entry {
  uint64_t key;
  std::string_view text;
};

constexpr Entry kFrameTypes[] = {{0, "Interpreted"}, {1, "JIT compiled"}, {2, "Inlined"},    {3, "Native"},
                                 {4, "C++"},         {5, "Kernel"},       {6, "C1 compiled"}};
constexpr Entry kThreadStates[] = {
    {0, "STATE_NEW"},        {2, "STATE_TERMINATED"},       {5, "STATE_RUNNABLE"},
    {225, "STATE_SLEEPING"}, {401, "STATE_IN_OBJECT_WAIT"}, {417, "STATE_IN_OBJECT_WAIT_TIMED"},
    {657, "STATE_PARKED"},   {673, "STATE_PARKED_TIMED"},   {1025, "STATE_BLOCKED_ON_MONITOR_ENTER"},
};
constexpr Entry kGcWhens[] = {{kGcBefore, "Before GC"}, {kGcAfter, "After GC"}};

void add(CheckpointBuilder& builder, TypeId type, std::span<const Entry> entries) {
  for (const Entry& entry : entries) builder.pool(type).entry(entry.key).text(entry.text);
}

}  // namespace

CheckpointBuilder enumerations() {
  CheckpointBuilder builder;
  add(builder, TypeId::kFrameType, kFrameTypes);
  add(builder, TypeId::kThreadState, kThreadStates);
  add(builder, TypeId::kGcWhen, kGcWhens);
  add_collection_constants(builder);
  return builder;
}

}  // namespace jfr
