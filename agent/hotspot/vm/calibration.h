// SPDX-License-Identifier: Apache-2.0
// Calibration finds the fields that HotSpot does not export, by what they must hold. It reads classes that every VM has
// loaded by VMInit and accepts an offset when it fits nearly all of them: a vote, of which one exception is no veto; two
// answers are no answer. No symbols, no version numbers.
//
//   Klass::_trace_id               >> 16 is small, set in most loaded classes, and tells nearly all of those apart
//                                  (+168 on 17, +184 on 21, +192 on 25)
//   ClassLoaderData::_trace_id     likewise, and falls from the newest loader to the oldest
//   ClassLoaderData::_class_loader_klass, _name
//                                  of the application's and the platform's loader, whose class and name are known
//   InstanceKlass::_package_entry, PackageEntry::_module, ModuleEntry::_name, _version, _location
//                                  of classes in java.base
//
// Their meaning: src/hotspot/share/jfr/utilities/jfrTypes.hpp, classfile/classLoaderData.hpp, packageEntry.hpp,
// moduleEntry.hpp. For start-up only, from an ordinary thread.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// What could be found is set in the layout, the rest stays kAbsent, and is looked for again by another call: the VM may
// have more to show by then.
void calibrate(Layout& layout);
bool is_calibrated(const Layout& layout);  // nothing is left to find

}  // namespace rec::agent
