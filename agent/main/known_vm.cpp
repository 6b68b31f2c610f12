// SPDX-License-Identifier: Apache-2.0
#include "agent/main/known_vm.h"

#include <array>

namespace rec::agent {
namespace {

constexpr std::array<std::string_view, 3> kOtherVms = {"J9", "Zing", "Substrate"};
constexpr std::string_view kZero = "Zero";  // HotSpot with an interpreter in C++ (-zero): its frames are those of C++

// JVMTI's major version is Java's since 9, 0x30190000 for 25; 8 has 1.2 (jvmti.h: JVMTI_VERSION_MASK_MAJOR).
int java_of(int32_t jvmti_version) {
  const int major = (jvmti_version & 0x0FFF0000) >> 16;
  return major == 1 ? 8 : major;
}

}  // namespace

std::string why_not_this_vm(std::string_view name, int32_t jvmti_version) {
  for (const std::string_view other : kOtherVms) {
    if (name.find(other) != std::string_view::npos)
      return "this VM is " + std::string(name) + ", and rec records HotSpot";
  }
  if (name.find(kZero) != std::string_view::npos)
    return "this VM is " + std::string(name) +
           ", which is not supported: it has no compiled code and no frames of its own";
  const int java = java_of(jvmti_version);
  if (java >= kOldestJava) return {};
  return "this is Java " + std::to_string(java) + ", and rec records " + std::to_string(kOldestJava) + " and later";
}

}  // namespace rec::agent
