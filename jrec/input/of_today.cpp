// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/of_today.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "base/descriptor.h"
#include "format/old/recording_translation.h"
#include "jrec/input/scratch_copy.h"
#include "jrec/input/scratch_file.h"
#include "jrec/input/unpack.h"

namespace jrec {
namespace {

using base::Result;
using base::Status;
using jfr::read::MappedFile;
using jfr::read::Problems;

// What a file begins with.
using Magic = std::array<uint8_t, kMagicBytes>;
Magic magic_of_file(int fd) {
  Magic first{};
  [[maybe_unused]] const ssize_t got = ::pread(fd, first.data(), first.size(), 0);
  return first;
}

Result<MappedFile> unwrapped_file(int fd, Problems& problems) {
  if (wrapping_of(magic_of_file(fd)) == Wrapping::kNone) return MappedFile::of(fd);
  ::lseek(fd, 0, SEEK_SET);
  return copy_to_scratch(fd, problems);
}

// Appends what a recording of version 0.9 becomes: one of version 2.
Status translate(std::span<const uint8_t> old, int to, Problems& problems,
                 const std::function<void(uint64_t, uint64_t)>& let_go) {
  return jfr::old::translate_recording(old, problems,
                                       {[&](std::span<const uint8_t> bytes) { return write_all(to, bytes); }, let_go});
}

bool is_wrapped(std::span<const uint8_t> bytes) {
  return wrapping_of(bytes.first(std::min(bytes.size(), kMagicBytes))) != Wrapping::kNone;
}

bool is_of_today(std::span<const uint8_t> part) { return !is_wrapped(part) && !jfr::old::is_old_recording(part); }

Status append_of_today(std::span<const uint8_t> part, int to, Problems& problems) {
  if (!is_wrapped(part))
    return is_of_today(part) ? write_all(to, part) : translate(part, to, problems, [](uint64_t, uint64_t) {});
  Result<base::Descriptor> wrapped = make_scratch_file();
  if (!wrapped) return wrapped.error();
  if (const Status written = write_all(wrapped->fd(), part); !written) return written.error();
  const Result<MappedFile> file = file_of_today(wrapped->fd(), problems);
  return file ? write_all(to, file->bytes()) : Status(file.error());
}

}  // namespace

Result<MappedFile> file_of_today(int fd, Problems& problems) {
  return file_of_today(unwrapped_file(fd, problems), problems);
}

Result<MappedFile> file_of_today(Result<MappedFile>&& unwrapped, Problems& problems) {
  if (!unwrapped || !jfr::old::is_old_recording(unwrapped->bytes())) return std::move(unwrapped);
  Result<base::Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  const auto let_go = [&](uint64_t offset, uint64_t size) { unwrapped->let_go(offset, size); };
  if (const Status written = translate(unwrapped->bytes(), scratch->fd(), problems, let_go); !written)
    return written.error();
  return MappedFile::of(scratch->fd());
}

bool has_other_parts(Input& members) {
  for (size_t i = 0; i < members.stretches(); ++i) {
    if (members.outline(i).is_chunk) continue;
    const Result<Stretch> part = members.read(i);
    if (part && !is_of_today(part->bytes)) return true;
  }
  return false;
}

Result<MappedFile> members_of_today(Input& members, Problems& problems) {
  Result<base::Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  for (size_t i = 0; i < members.stretches(); ++i) {
    const Result<Stretch> part = members.read(i);
    if (!part)
      problems.add(part.error());
    else if (const Status written = append_of_today(part->bytes, scratch->fd(), problems); !written)
      return written.error();
  }
  return MappedFile::of(scratch->fd());
}

}  // namespace jrec
