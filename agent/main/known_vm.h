// SPDX-License-Identifier: Apache-2.0
// Which VMs are not even looked into, so that the line that refuses them says what they are. Of all others the layout tells
// (agent/hotspot/vm/calibration.h). rec.Host (agent/java/rec) has the same list for Java.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rec::agent {

inline constexpr int kOldestJava = 17;

// name: java.vm.name. jvmti_version: as GetVersionNumber() gives it. A sentence without a full stop; empty: nothing speaks
// against it.
std::string why_not_this_vm(std::string_view name, int32_t jvmti_version);

}  // namespace rec::agent
