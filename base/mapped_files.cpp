// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_files.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/small_file.h"

namespace base {
namespace {

constexpr size_t kMostMaps = 64u << 20;  // bytes of /proc/self/maps
constexpr size_t kOneByte = 1;           // of a mapping: the kernel makes it a page

int64_t modified_ns(const struct stat& st) {
  constexpr int64_t kSecond = 1'000'000'000;
  return st.st_mtim.tv_sec * kSecond + st.st_mtim.tv_nsec;
}

// "7f00a000-7f00b000 r--s 00000000 08:01 1234    /data/file". False: address is not in it.
bool read_mapping(const char* line, uint64_t address, FileIdentity& identity) {
  uint64_t begin = 0, end = 0;
  uint32_t major = 0, minor = 0;
  const int read = std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*x %" SCNx32 ":%" SCNx32 " %" SCNu64, &begin, &end,
                               &major, &minor, &identity.inode);
  identity.device = uint64_t{major} << 32 | minor;
  constexpr int kAll = 5;
  return read == kAll && address >= begin && address < end;
}

FileIdentity mapping_at(const std::string& maps, uint64_t address) {
  for (size_t at = 0; at < maps.size();) {
    const size_t end = std::min(maps.find('\n', at), maps.size());
    FileIdentity identity;
    if (read_mapping(maps.substr(at, end - at).c_str(), address, identity)) return identity;
    at = end + 1;
  }
  return {};
}

}  // namespace

MappedFiles::MappedFiles() : maps_(read_small_file("/proc/self/maps", kMostMaps).value_or(std::string())) {}

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
