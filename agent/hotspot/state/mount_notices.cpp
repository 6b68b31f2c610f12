// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/mount_notices.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/vm_library.h"
#include "agent/hotspot/vm/vm_flags.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {
namespace {

constexpr char kWord[] = "_ZN27JvmtiVTMSTransitionDisabler25_VTMS_notify_jvmti_eventsE";

constexpr uint32_t kFirst = 21, kLast = 25;  // versions that have the word

bool has_word() {
  const auto tables = VmTables::open();
  const auto version = tables ? tables->address("Abstract_VM_Version", "_vm_major_version") : std::nullopt;
  const uint32_t major = version ? u32_at(*version) : 0;
  return major >= kFirst && major <= kLast;
}

// nullptr: it does not have it.
uint8_t* find_word() {
  uint64_t found = 0;
  if (has_word()) VmLibrary().find({{kWord, found}});
  return reinterpret_cast<uint8_t*>(found);
}

}  // namespace

QuietMounts::QuietMounts() : word_(find_word()) {
  if (word_ != nullptr && *word_ != 0) word_ = nullptr;
}

bool mounts_are_quiet() {
  const uint8_t* const word = find_word();
  return word != nullptr && *word == 0 && has_continuations();
}

QuietMounts::~QuietMounts() {
  if (word_ != nullptr && *word_ == 1) *word_ = 0;
}

}  // namespace rec::agent
