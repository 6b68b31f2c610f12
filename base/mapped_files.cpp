// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_files.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <string_view>

#include "base/text_lines.h"

namespace base {
namespace {

constexpr size_t kOneByte = 1;  // of a mapping: the kernel makes it a page

int64_t modified_ns(const struct stat& st) {
  constexpr int64_t kSecond = 1'000'000'000;
  return st.st_mtim.tv_sec * kSecond + st.st_mtim.tv_nsec;
}

FileIdentity mapping_at(std::string_view maps, uint64_t address) {
  FileIdentity identity;
  each_line(maps, [&](std::string_view line) {
    MappingLine mapping;
    if (!identity && parse_mapping_line(line, mapping) && mapping.holds(address))
      identity = {mapping.device, mapping.inode, 0};
  });
  return identity;
}

}  // namespace

MappedFiles::MappedFiles() : maps_(read_own_mappings()) {}

FileIdentity MappedFiles::at(uint64_t address, const std::string& path) const {
  FileIdentity identity = mapping_at(maps_, address);
  struct stat st {};
  if (identity && stat(path.c_str(), &st) == 0 && st.st_ino == identity.inode) identity.modified_ns = modified_ns(st);
  return identity;
}

bool is_file(int fd, const FileIdentity& identity) {
  struct stat st {};
  if (fstat(fd, &st) != 0 || (identity.modified_ns != 0 && identity.modified_ns != modified_ns(st))) return false;
  void* const mapped = mmap(nullptr, kOneByte, PROT_NONE, MAP_PRIVATE, fd, 0);
  if (mapped == MAP_FAILED) return false;
  const FileIdentity found = MappedFiles().at(reinterpret_cast<uint64_t>(mapped), {});
  munmap(mapped, kOneByte);
  return found && found.device == identity.device && found.inode == identity.inode;
}

FileStamp stamp_of(int fd) {
  struct stat st {};
  if (fd < 0 || fstat(fd, &st) != 0) return {};
  return {st.st_dev, st.st_ino, static_cast<uint64_t>(st.st_size), modified_ns(st)};
}

}  // namespace base
