// SPDX-License-Identifier: Apache-2.0
#include "tests/recorder/chunk_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <string_view>

namespace test {
namespace {

std::atomic<ChunkCalls*> asked{nullptr};

bool names_chunk(std::string_view path) {
  constexpr std::string_view kRemoved = " (deleted)";
  if (path.ends_with(kRemoved)) path.remove_suffix(kRemoved.size());
  return path.ends_with(".jfr") || path.ends_with(".jfr.tmp");
}

bool is_chunk(int fd) {
  std::array<char, PATH_MAX> path;
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path.data(), path.size());
  return size > 0 && names_chunk({path.data(), static_cast<size_t>(size)});
}

// Whoever is to be asked about that file; null: nobody. errno stays.
template <typename File>
ChunkCalls* calls_on(File file, bool (*is)(File)) {
  ChunkCalls* calls = asked.load();
  const int before = errno;
  const bool chunk = calls != nullptr && is(file);
  errno = before;
  return chunk ? calls : nullptr;
}
ChunkCalls* calls_on(int fd) { return calls_on(fd, &is_chunk); }
ChunkCalls* calls_on(const char* path) { return calls_on<std::string_view>(path, &names_chunk); }

// The function that this one stands before.
template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <typename Call>
auto step(ChunkCalls* calls, const char* name, Call call) -> decltype(call()) {
  if (calls == nullptr) return call();
  if (const int error = calls->refuse(name); error != 0) {
    errno = error;
    return -1;
  }
  const auto result = call();
  const int after = errno;
  calls->done(name);
  errno = after;
  return result;
}

}  // namespace

void ask(ChunkCalls* calls) { asked.store(calls); }

}  // namespace test

using test::calls_on;
using test::ChunkCalls;
using test::next;
using test::step;

extern "C" {

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  static const auto real = next<decltype(pwrite)>("pwrite");
  ChunkCalls* calls = calls_on(fd);
  if (calls != nullptr) size = calls->at_most(size);
  return step(calls, "pwrite", [&] { return real(fd, bytes, size, offset); });
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
  static const auto real = next<decltype(fallocate)>("fallocate");
  return step(calls_on(fd), mode == 0 ? "fallocate" : "punch", [&] { return real(fd, mode, offset, size); });
}

int ftruncate(int fd, off_t size) noexcept {
  static const auto real = next<int(int, off_t)>("ftruncate");
  return step(calls_on(fd), "ftruncate", [&] { return real(fd, size); });
}

ssize_t copy_file_range(int from, off_t* from_offset, int to, off_t* to_offset, size_t size, unsigned flags) {
  static const auto real = next<decltype(copy_file_range)>("copy_file_range");
  ChunkCalls* calls = calls_on(to);
  if (calls != nullptr) size = calls->at_most(size);
  return step(calls, "copy", [&] { return real(from, from_offset, to, to_offset, size, flags); });
}

int renameat2(int from_directory, const char* from, int to_directory, const char* to, unsigned flags) noexcept {
  static const auto real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return step(calls_on(from), "rename", [&] { return real(from_directory, from, to_directory, to, flags); });
}

int fdatasync(int fd) {
  static const auto real = next<decltype(fdatasync)>("fdatasync");
  ChunkCalls* calls = calls_on(fd);
  if (calls != nullptr && !calls->syncs()) return step(calls, "fdatasync", [] { return 0; });
  return step(calls, "fdatasync", [&] { return real(fd); });
}

}  // extern "C"
