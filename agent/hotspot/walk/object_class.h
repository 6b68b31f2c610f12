// SPDX-License-Identifier: Apache-2.0
// The class of an object that JVMTI has handed to us, as a fact of the epoch. Ordinary threads, in a callback.
#pragma once

#include <jni.h>

#include "agent/hotspot/vm/layout.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

// By the class' mirror, a local reference. Nothing: it could not be read, or there is no room for its name.
//
// A collector may move the mirror meanwhile, and what is found at its old place may be anything: a class is named only if
// its own mirror leads back to it.
Ref<ClassFact> class_fact(const Layout& layout, Epoch& epoch, jclass mirror);

}  // namespace rec::agent
