// SPDX-License-Identifier: Apache-2.0
// UnloadWatch is told late of classes that went: JVMTI says when a tagged mirror was collected. What handlers are shown
// then was noted when the class was prepared. For VMs on which the probe (unload_probe.h) cannot be had. Ordinary
// threads.
#pragma once

#include "agent/asgst/session.h"

namespace rec::agent::asgst {

using OnGone = void (*)(const void* stand_in);  // a GoneClass; in an ordinary thread

// Once. False: this VM does not tell.
bool start_unload_watch(const Session& session, OnGone on_gone);

}  // namespace rec::agent::asgst
