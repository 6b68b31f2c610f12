// SPDX-License-Identifier: Apache-2.0
#include "base/new_directory.h"

#include <sys/stat.h>

#include <cerrno>

namespace base {
namespace {

bool is_directory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

Status make_directories(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    const int why = ::mkdir(part.c_str(), 0700) == 0 ? 0 : errno;
    if (why != 0 && !is_directory(part)) return system_error("cannot make the directory", why);
    if (slash == std::string::npos) return Done{};
  }
}

}  // namespace base
