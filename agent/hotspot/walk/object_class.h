// SPDX-License-Identifier: Apache-2.0
// The class of an object as a fact of the epoch.
#pragma once

#include <jni.h>

#include "agent/hotspot/vm/layout.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

// By the class' mirror, a local reference that JVMTI or JNI has handed to us; ordinary threads. Nothing: it could not be read, or there is no room for its name.
//
// A collector may move the mirror meanwhile, and what is found at its old place may be anything: a class is named only if
// its own mirror leads back to it.
Ref<ClassFact> class_fact(const Layout& layout, Epoch& epoch, jclass mirror);

// Of an object in the heap, by its address, without the collector's leave; whoever has the address looks afterwards whether
// it was right. Any thread.
Ref<ClassFact> class_fact_of_object(const Layout& layout, Epoch& epoch, uint64_t object);

}  // namespace rec::agent
