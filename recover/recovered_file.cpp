// SPDX-License-Identifier: Apache-2.0
#include "recover/recovered_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include "base/file_io.h"
#include "base/result.h"

namespace rec {
namespace {

using base::Done;

constexpr size_t kPieceBytes = 256u << 10;

}  // namespace

Result<RecoveredFile> RecoveredFile::create(const std::string& target) {
  Result<base::NewFile> file = base::NewFile::make(target);
  if (!file) return file.error();
  return RecoveredFile(std::move(*file));
}

Status RecoveredFile::put(uint64_t at, std::span<const uint8_t> bytes) {
  assert(at <= size_ && "what is recovered has no holes");
  if (!base::write_all_at(file_.fd(), bytes.data(), bytes.size(), at))
    return base::system_error("cannot write", path());
  return Done{};
}

Status RecoveredFile::add(std::span<const uint8_t> bytes) {
  Status status = put(size_, bytes);
  if (status) size_ += bytes.size();
  return status;
}

Status RecoveredFile::add(int from, uint64_t offset, uint64_t size) {
  const auto piece = std::make_unique<uint8_t[]>(std::min<uint64_t>(size, kPieceBytes));
  while (size > 0) {
    const auto step = static_cast<size_t>(std::min<uint64_t>(size, kPieceBytes));
    if (!base::read_all_at(from, piece.get(), step, offset))
      return base::system_error("cannot read what is to go into", path());
    if (Status added = add({piece.get(), step}); !added) return added;
    offset += step;
    size -= step;
  }
  return Done{};
}

Status RecoveredFile::commit(Replaces replaces) {
  if (Status synced = file_.sync(); !synced) return synced;
  if (Status committed = file_.commit(replaces); !committed) return committed;
  base::sync_directory(file_.place());  // the name is to last before what it was made of goes
  return Done{};
}

bool RecoveredFile::is_there_already() const {
  const Descriptor there = open_to_read(path());
  struct stat st {};
  if (!there || fstat(there.fd(), &st) != 0 || static_cast<uint64_t>(st.st_size) != size_) return false;
  const auto ours = std::make_unique<uint8_t[]>(kPieceBytes), theirs = std::make_unique<uint8_t[]>(kPieceBytes);
  for (uint64_t at = 0; at < size_; at += kPieceBytes) {
    const size_t step = std::min<uint64_t>(size_ - at, kPieceBytes);
    if (!base::read_all_at(file_.fd(), ours.get(), step, at) || !base::read_all_at(there.fd(), theirs.get(), step, at))
      return false;
    if (std::memcmp(ours.get(), theirs.get(), step) != 0) return false;
  }
  return true;
}

Result<std::string> RecoveredFile::commit_beside() {
  if (Status synced = file_.sync(); !synced) return synced.error();
  if (is_there_already()) return path();
  Result<std::string> path = file_.commit_beside(Replaces::kNothing);
  if (path) base::sync_directory(file_.place());
  return path;
}

}  // namespace rec
