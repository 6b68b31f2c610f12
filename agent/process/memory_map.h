// SPDX-License-Identifier: Apache-2.0
// What the resident memory of this process is made of, by the kinds of its mappings (/proc/self/smaps, proc(5)).
//
//   MemorySums sums(known);  sums.add(piece) for each piece of the text, wherever it is cut;  sums.of(kind)
//
// A stack has no name. It is taken for one if it is anonymous and lies right above a small mapping that nobody may
// touch: the guard of glibc or of HotSpot. Arenas of malloc begin at 64 MiB.
//
// The kernel walks the page tables for it: milliseconds, more with much memory. Ordinary threads. Needs no JVM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rec::agent {

enum class MemoryKind : uint8_t {
  kHeap,    // of Java
  kCode,    // compiled code
  kStacks,  // of threads
  kNative,  // anonymous memory of no other kind: malloc, metaspace, what collectors and compilers need
  kFiles,   // mapped files, libraries and programs among them
  kShared,  // shared memory without a file
  kCount,
};

// Places that the VM tells; 0, 0: it does not.
struct KnownPlaces {
  uint64_t heap_begin = 0, heap_end = 0;
  uint64_t code_begin = 0, code_end = 0;
};

class MemorySums {
 public:
  explicit MemorySums(const KnownPlaces& known) : known_(known) {}

  void add(std::string_view piece);
  // Resident bytes. Of ZGC's heap, which may be mapped three times, each page once.
  int64_t of(MemoryKind kind) const { return bytes_[static_cast<size_t>(kind)]; }
  int64_t swapped() const { return swapped_; }

 private:
  struct Mapping {
    uint64_t begin = 0, end = 0;
    bool accessible = false, nameless = false, several_times = false;
    MemoryKind kind = MemoryKind::kNative;
  };
  void line(std::string_view text);
  bool begins_mapping(std::string_view text);
  MemoryKind kind_of(const Mapping& mapping, std::string_view name) const;

  const KnownPlaces known_;
  std::array<int64_t, static_cast<size_t>(MemoryKind::kCount)> bytes_{};
  int64_t swapped_ = 0;
  Mapping now_, before_;
  std::string rest_;  // of a line that was cut
};

// False: the file cannot be read.
bool read_memory_map(MemorySums& sums);

}  // namespace rec::agent
