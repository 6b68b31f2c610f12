// SPDX-License-Identifier: Apache-2.0
// NativeFrames is where the frames of a StackTree that are native code lie: which build of which library, and where in its file. So others
// can join them with what they know of that build, or name what has no name here.
//
//   name of a frame: "libzip.so.longest_match"  -->  NativeFrame {library 2, 0x1a40}  -->  libraries()[2] {path, build id, ...}
//
// Frames of Java, of the kernel and of code in no library have no place; nor has a name that two builds have, of a recording that was put
// together from several. Of a function in several parts it is the first that was told.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "jrec/select/native_places.h"

namespace jrec {

struct NativeFrame {
  uint32_t library = 0;    // in libraries()
  uint64_t address = 0;    // in the file, as nm has it
  bool has_symbol = true;  // its name is more than its place
};

class NativeFrames {
 public:
  void add(uint32_t name, const LibraryBuild& library, uint64_t address, bool has_symbol);
  // name_of(n): the number here of a name that is number n there.
  template <typename NameOf>
  void add(const NativeFrames& other, NameOf name_of) {
    for (const auto& [name, frame] : other.frames_) {
      if (frame.library != kSeveral)
        add(name_of(name), other.libraries_[frame.library], frame.address, frame.has_symbol);
      else
        frames_[name_of(name)].library = kSeveral;
    }
  }

  const NativeFrame* of(uint32_t name) const;  // nullptr: it has no place
  const std::vector<LibraryBuild>& libraries() const { return libraries_; }

 private:
  static constexpr uint32_t kSeveral = UINT32_MAX;
  uint32_t number_of(const LibraryBuild& library);

  std::map<uint32_t, NativeFrame> frames_;  // by name
  std::vector<LibraryBuild> libraries_;     // a path and build id once
};

// Whether a frame's name is but its place, libfoo.so.+0x1a40, for want of a symbol.
bool is_place_only(std::string_view name);

}  // namespace jrec
