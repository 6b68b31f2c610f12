// SPDX-License-Identifier: Apache-2.0
// JavaFields finds what handlers read of Java's own objects: threads and their names, continuations and their chunks of
// stack. The class library says where its fields are (jdk.internal.misc.Unsafe.objectFieldOffset), and how references,
// classes and arrays are written follows from the places of arrays' elements, and is believed when objects of ours then
// hold what we know. Classes are loaded by that, not initialised.
//
// An ordinary thread that Java knows, in the live phase; once.
#pragma once

#include <jni.h>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// Fills the calibrated parts: what could not be found stays absent, and who needs it is off. Before 21, what has to do with
// virtual threads.
void find_java_fields(JNIEnv* jni, Layout& layout);

bool has_virtual_threads(const Layout& layout);  // by its version
// Can the frames of a virtual thread be read that lie in the heap? Its name, and before 24 its id? Names of other threads?
bool knows_continuations(const Layout& layout);
bool knows_thread_objects(const Layout& layout);
bool knows_thread_names(const Layout& layout);

}  // namespace rec::agent
