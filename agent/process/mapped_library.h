// SPDX-License-Identifier: Apache-2.0
// A library's file, mapped for one look at it. Whoever truncated it meanwhile would end us: it is a library that is in
// use. Ordinary threads.
#pragma once

#include <cstdint>
#include <span>

namespace rec::agent {

class MappedLibrary {
 public:
  explicit MappedLibrary(const char* path);  // empty when it cannot be had
  ~MappedLibrary();
  MappedLibrary(const MappedLibrary&) = delete;
  MappedLibrary& operator=(const MappedLibrary&) = delete;

  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace rec::agent
