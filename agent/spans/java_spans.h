// SPDX-License-Identifier: Apache-2.0
// The native half of rec-context.jar (agent/java): the methods of rec.Native, and how they are found.
//
//   the class comes after rec    its initializer calls link(), which the VM finds in the libraries of its agents
//                                (src/hotspot/share/prims/nativeLookup.cpp, lookup_style)
//   rec comes after the class    link_java_spans() is shown all loaded classes, when a recording begins
//   rec is no agent's library    but was loaded by Java (rec.Recorder), for one class loader: link_prepared_java_spans() is
//                                shown the classes of others as they come, while something is recorded
//
// Both register the other methods and set Native.on, without which the class calls nothing: where rec is not loaded, each of
// its methods is a test of that. There may be one such class for each loader.
#pragma once

#include <jni.h>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// When the VM has been opened, once and for good: the class may be linked.
void open_java_spans();

// Ordinary threads that Java knows. Of any class, by a local reference: links it if it is that one.
void link_java_spans(JNIEnv* jni, const Layout& layout, jclass mirror);

// In ClassPrepare, likewise: its initializer, which has not run, will find link().
void link_prepared_java_spans(JNIEnv* jni, const Layout& layout, jclass mirror);

}  // namespace rec::agent
