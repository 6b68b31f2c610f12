// SPDX-License-Identifier: Apache-2.0
// Who is who. Ids never restart and are never reused, so an id names one thing for the life of the process.
// Signal-safe.
#pragma once

#include <cstdint>

namespace rec {

enum class ClassId : uint64_t { kNone = 0 };  // HotSpot's own trace id >> 16: a small counter
// Libraries stand behind the VM's classes: native code has a class that is named like its library.
inline constexpr uint64_t kFirstLibraryId = uint64_t{1} << 26;
inline constexpr uint32_t kMaxLibraries = 4096;  // that a process has had; code of later ones has no name
constexpr ClassId library_class_id(uint16_t number) { return static_cast<ClassId>(kFirstLibraryId + number); }
constexpr bool is_library(ClassId id) {
  return static_cast<uint64_t>(id) >= kFirstLibraryId && static_cast<uint64_t>(id) < kFirstLibraryId + kMaxLibraries;
}

enum class LoaderId : uint64_t { kNone = 0 };  // likewise of the ClassLoaderData; kNone is the boot loader or not known
// Key of the thread constant: java.lang.Thread's id, or a number of a thread that Java does not know.
enum class ThreadId : uint64_t { kNone = 0 };
constexpr ThreadId native_thread_id(uint64_t number) { return static_cast<ThreadId>(uint64_t{1} << 48 | number); }

// As JFR computes it: class id << 16 | original method idnum, the same for every redefined version.
enum class MethodId : uint64_t { kNone = 0 };
constexpr MethodId method_id(ClassId holder, uint16_t idnum) {
  return static_cast<MethodId>(static_cast<uint64_t>(holder) << 16 | idnum);
}

// The idnum of methods that stand in no class, such as the VM's linkers for method handles. Many name one class; they
// are told apart by name and descriptor only.
inline constexpr uint16_t kNoIdnum = 0xffff;

// Where a record lies in its epoch's arena, in units of 8 bytes; 0 is "nothing".
template <typename T>
struct Ref {
  uint32_t unit = 0;
  explicit operator bool() const { return unit != 0; }
  friend bool operator==(Ref, Ref) = default;
};

}  // namespace rec
