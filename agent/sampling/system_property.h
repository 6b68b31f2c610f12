// SPDX-License-Identifier: Apache-2.0
// What the VM says of itself by name.
#pragma once

#include <jvmti.h>

#include <string>

namespace rec::agent {

// "java.version"; empty: there is none. Ordinary threads.
std::string system_property(jvmtiEnv* jvmti, const char* key);

}  // namespace rec::agent
