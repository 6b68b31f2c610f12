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

using Numbered = std::array<std::atomic<LibraryIdentity*>, kMaxLibraries>;
constinit Numbered numbered{};

struct Numbers {
  std::mutex mutex;
  std::unordered_map<std::string, uint16_t> known;     // by path and build id, or else the file
  std::unordered_map<std::string, std::string> named;  // by the file's name: the build id that has it to itself
  uint16_t next = kNoLibrary;
};

// Never destroyed: the housekeeper may still be running when the process ends.
Numbers& all_numbers() {
  static auto* const numbers = new Numbers;
  return *numbers;
}

// Builds of one name are told apart by the beginning of their ids: in a recording a library is known by its name.
std::string name_apart(Numbers& numbers, const std::string& name, const std::string& build_id) {
  constexpr size_t kDigits = 8;
  const auto [known, is_new] = numbers.named.try_emplace(name, build_id);
  if (is_new || (known->second == build_id && !build_id.empty())) return name;
  return name + '@' + (build_id.empty() ? std::to_string(numbers.next) : build_id.substr(0, kDigits));
}

// "/usr/lib/libjvm.so" -> "libjvm.so"; "[kernel]" -> "kernel": readers, JMC for one, take a class whose name begins with a bracket
// for one of arrays, and refuse what does not go on as those do.
std::string class_name(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.size() > 2 && file.front() == '[' && file.back() == ']' ? file.substr(1, file.size() - 2) : file;
}

std::string file_text(const base::FileIdentity& file) {
  return std::to_string(file.device) + ' ' + std::to_string(file.inode) + ' ' + std::to_string(file.modified_ns);
}

LoadPlace moved(LoadPlace place, uint64_t by, uint64_t bias) {
  place.begin += by;
  place.end += by;
  place.bias = bias;
  return place;
}

uint16_t enter(Numbers& numbers, LibraryIdentity* identity) {
  if (numbers.next >= kMaxLibraries) return delete identity, uint16_t{0};
  // release: pairs with the acquire in library_numbered(). It stays for ever: a handler may be reading it.
  numbered[numbers.next].store(identity, std::memory_order_release);
  return numbers.next++;
}

uint16_t enter(Numbers& numbers, const std::string& path, const std::string& build_id, const LoadPlace& place) {
  auto* const identity = new LibraryIdentity;
  const bool is_vdso = path.starts_with("linux-vdso");
  identity->path = is_vdso ? "[vdso]" : path;
  identity->name = name_apart(numbers, class_name(identity->path), build_id);
  identity->build_id = build_id;
  identity->in_file = moved(place, -place.bias, 0);
  return enter(numbers, identity);
}

LibraryIdentity* identity_of(uint16_t number) {
  // acquire: pairs with the release in enter(): its texts are there.
  return number < kMaxLibraries ? numbered[number].load(std::memory_order_acquire) : nullptr;
}

}  // namespace

LoadPlace LibraryIdentity::place() const {
  const uint64_t now = bias.load(std::memory_order_relaxed);
  return moved(in_file, now, now);
}

const LibraryIdentity* library_numbered(uint16_t number) { return identity_of(number); }

uint16_t number_library(const char* path, const std::string& build_id, const LoadPlace& place) {
  Numbers& numbers = all_numbers();
  const std::string full =
      *path != '\0' ? path : base::read_link("/proc/self/exe");  // the program has no name of its own
  const std::lock_guard<std::mutex> lock(numbers.mutex);
  if (numbers.next == kNoLibrary) {
    enter(numbers, new LibraryIdentity{.name = "native"});
    enter(numbers, new LibraryIdentity{.name = "stubs"});
  }
  const std::string build = build_id.empty() ? file_text(place.file) : build_id;
  const auto [known, is_new] = numbers.known.try_emplace(full + '\n' + build, 0);
  if (is_new) known->second = enter(numbers, full, build_id, place);
  if (LibraryIdentity* const identity = identity_of(known->second); identity != nullptr && known->second != 0)
    identity->bias.store(place.bias, std::memory_order_relaxed);
  return known->second;
}

}  // namespace rec::agent
