// SPDX-License-Identifier: Apache-2.0
// Start and end of virtual threads that are threads of the system themselves (-XX:-VMContinuations; java.lang calls them
// bound). JVMTI tells of these by events of its own, VirtualThreadStart and VirtualThreadEnd, and only to those who may
// support virtual threads. Where virtual threads are mounted on others, these events would make each mount dear: nobody here
// hears them then.
//
// The names are in jvmti.h from 21 on, and this compiles with older ones. Ordinary threads.
#pragma once

#include <jvmti.h>

namespace rec::agent {

inline constexpr auto kBoundThreadStart = static_cast<jvmtiEvent>(87), kBoundThreadEnd = static_cast<jvmtiEvent>(88);

// So that these events can be enabled: nothing where virtual threads are not bound.
void support_bound_threads(jvmtiEnv* jvmti);

// SetEventCallbacks, with those of the two events: what ThreadStart and ThreadEnd call, they call.
jvmtiError set_callbacks(jvmtiEnv* jvmti, const jvmtiEventCallbacks& callbacks);

}  // namespace rec::agent
