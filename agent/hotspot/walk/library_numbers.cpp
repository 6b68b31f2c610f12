// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/library_numbers.h"

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "agent/hotspot/walk/native_modules.h"
#include "base/small_file.h"
#include "recorder/spool/ids.h"

namespace rec::agent {
namespace {

using Numbered = std::array<std::atomic<const LibraryIdentity*>, kMaxLibraries>;
constinit Numbered numbered{};

struct Numbers {
  std::mutex mutex;
  std::unordered_map<std::string, uint16_t> known;  // by path and build id
  uint16_t next = kNoLibrary;
};

// Never destroyed: the housekeeper may still be running when the process ends.
Numbers& all_numbers() {
  static auto* const numbers = new Numbers;
  return *numbers;
}

LibraryIdentity identity_of(const std::string& path, const std::string& build_id) {
  if (path.starts_with("linux-vdso")) return {"[vdso]", "[vdso]", build_id};
  return {path.substr(path.rfind('/') + 1), path, build_id};
}

uint16_t enter(Numbers& numbers, LibraryIdentity identity) {
  if (numbers.next >= kMaxLibraries) return 0;
  // release: pairs with the acquire in library_numbered(). It stays for ever: a handler may be reading it.
  numbered[numbers.next].store(new LibraryIdentity(std::move(identity)), std::memory_order_release);
  return numbers.next++;
}

}  // namespace

const LibraryIdentity* library_numbered(uint16_t number) {
  // acquire: pairs with the release in enter(): its texts are there.
  return number < kMaxLibraries ? numbered[number].load(std::memory_order_acquire) : nullptr;
}

uint16_t number_library(const char* path, const std::string& build_id) {
  Numbers& numbers = all_numbers();
  const std::string full =
      *path != '\0' ? path : base::read_link("/proc/self/exe");  // the program has no name of its own
  const std::lock_guard<std::mutex> lock(numbers.mutex);
  if (numbers.next == kNoLibrary) enter(numbers, {"native", "", ""});
  const auto [known, is_new] = numbers.known.try_emplace(full + '\n' + build_id, 0);
  if (is_new) known->second = enter(numbers, identity_of(full, build_id));
  return known->second;
}

}  // namespace rec::agent
