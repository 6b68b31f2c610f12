// SPDX-License-Identifier: Apache-2.0
// What the thread of a sample is for, as far as a recording tells: Java's own threads have an id there, the JVM's are told
// by their names, of which the system keeps 15 bytes ("C2 CompilerThre").
#pragma once

#include <cstdint>

#include "jrec/profile/sample_names.h"

namespace jrec {

enum class ThreadGroup : uint8_t { kJava, kCollector, kCompiler, kOther, kVirtual };

ThreadGroup thread_group(const SampleThread& thread);

}  // namespace jrec
