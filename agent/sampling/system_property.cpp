// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/system_property.h"

namespace rec::agent {

std::string system_property(jvmtiEnv* jvmti, const char* key) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(key, &value) != JVMTI_ERROR_NONE || value == nullptr) return {};
  std::string text = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return text;
}

}  // namespace rec::agent
