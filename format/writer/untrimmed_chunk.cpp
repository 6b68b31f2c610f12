// SPDX-License-Identifier: Apache-2.0
#include "format/writer/untrimmed_chunk.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "format/writer/chunk_file_io.h"

namespace jfr {

using base::Error;
using base::ErrorCode;
using base::Status;

Status UntrimmedChunk::trim() const {
  const base::Descriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat st {};
  if (!file || ::fstat(file.fd(), &st) != 0) return base::system_error("cannot open", path);
  if (!S_ISREG(st.st_mode) || static_cast<uint64_t>(st.st_size) != file_size)
    return Error{ErrorCode::kUsage, 0, path + " was changed by somebody"};
  Status status = trim(file.fd());
  return status ? sync_data(file.fd(), path) : status;
}

Status UntrimmedChunk::trim(int fd) const {
  Status status = write_at(fd, after, 0, path);
  if (status) status = cut(fd, size, path);
  if (!status) (void)write_at(fd, before, 0, path);
  return status;
}

}  // namespace jfr
