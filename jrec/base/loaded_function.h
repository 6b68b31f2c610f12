// SPDX-License-Identifier: Apache-2.0
// Functions of a library that is loaded when it is needed.
#pragma once

#include <dlfcn.h>

namespace jrec {

// False: the library has none of that name.
template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace jrec
