// SPDX-License-Identifier: Apache-2.0
// The JDK's own function of a native method, whoever stands in front of it: by its name (JNI Specification, "Resolving Native Method
// Names"), or as registerNatives() of the JDK hands it to JNI, in a table of JNINativeMethod in the data of libjvm.so or libjava.so
// (src/hotspot/share/prims/unsafe.cpp, src/java.base/share/native/libjava/Thread.c).
//
// Ordinary threads. Some 0.1 ms: a megabyte of data is passed over.
#pragma once

#include <cstdint>

namespace rec::agent {

// Whether the function is in one of the two libraries.
bool is_own_native(uint64_t function);
// klass: "java/lang/Throwable". 0: it is not found.
uint64_t own_native(const char* klass, const char* name, const char* descriptor);

}  // namespace rec::agent
