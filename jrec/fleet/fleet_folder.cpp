// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

namespace jrec {

base::Descriptor open_new(const std::string& path) {
  return base::Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

base::Status make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return base::system_error("cannot make " + path, error.value());
  return base::Done{};
}

void sync_folder(const std::string& path) {
  const base::Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) (void)::fsync(folder.fd());
}

}  // namespace jrec
