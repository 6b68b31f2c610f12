// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/scratch_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/file_io.h"

namespace jrec {
namespace {

int open_nameless(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = directory + "/jrec-XXXXXX";  // a file system that knows no O_TMPFILE
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

std::string scratch_place() {
  const char* directory = std::getenv("TMPDIR");
  return directory != nullptr && *directory != '\0' ? directory : "/tmp";
}

}  // namespace

base::Result<base::Descriptor> make_scratch_file() {
  int fd = open_nameless(scratch_place());
  if (fd < 0) fd = ::memfd_create("jrec", MFD_CLOEXEC);
  if (fd < 0) return base::system_error("cannot make a temporary file");
  return base::Descriptor(fd);
}

base::Result<std::string> make_scratch_folder() {
  std::string path = scratch_place() + "/jrec-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return base::system_error("cannot make", path);
  return path;
}

base::Status write_all(int fd, std::span<const uint8_t> bytes) {
  if (!base::write_all(fd, bytes.data(), bytes.size()))
    return base::system_error("cannot write a temporary file in " + scratch_place());
  return base::Done{};
}

}  // namespace jrec
