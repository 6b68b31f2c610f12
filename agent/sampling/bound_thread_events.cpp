// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/bound_thread_events.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "agent/hotspot/vm/vm_flags.h"

namespace rec::agent {
namespace {

constexpr uint64_t kSupportsVirtualThreads = uint64_t{1} << 44;  // jvmtiCapabilities::can_support_virtual_threads

// jvmtiEventCallbacks has one function for each number of an event, in order.
constexpr size_t place_of(jvmtiEvent event) { return static_cast<size_t>(event) - JVMTI_MIN_EVENT_TYPE_VAL; }
using AllCallbacks = std::array<jvmtiEventThreadStart, place_of(kBoundThreadEnd) + 1>;

}  // namespace

void support_bound_threads(jvmtiEnv* jvmti) {
  if (has_continuations()) return;
  jvmtiCapabilities capabilities{};
  static_assert(sizeof capabilities >= sizeof kSupportsVirtualThreads);
  std::memcpy(&capabilities, &kSupportsVirtualThreads, sizeof kSupportsVirtualThreads);
  jvmti->AddCapabilities(&capabilities);  // without it there are no such events, that is all
}

jvmtiError set_callbacks(jvmtiEnv* jvmti, const jvmtiEventCallbacks& callbacks) {
  AllCallbacks all{};
  std::memcpy(all.data(), &callbacks, std::min(sizeof all, sizeof callbacks));
  all[place_of(kBoundThreadStart)] = callbacks.ThreadStart;
  all[place_of(kBoundThreadEnd)] = callbacks.ThreadEnd;
  return jvmti->SetEventCallbacks(reinterpret_cast<const jvmtiEventCallbacks*>(all.data()), sizeof all);
}

}  // namespace rec::agent
