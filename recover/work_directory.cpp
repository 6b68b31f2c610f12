// SPDX-License-Identifier: Apache-2.0
#include "recover/work_directory.h"

#include <unistd.h>

#include <cstdlib>

#include "recover/files.h"

namespace rec {

Result<WorkDirectory> WorkDirectory::beside(const std::string& target) {
  std::string path = parent_of(target) + "/.recovering-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return base::system_error("cannot make", target);
  return WorkDirectory(std::move(path));
}

WorkDirectory::~WorkDirectory() {
  if (path_.empty()) return;
  for (const std::string& name : names_in(path_)) unlink((path_ + "/" + name).c_str());
  rmdir(path_.c_str());
}

}  // namespace rec
