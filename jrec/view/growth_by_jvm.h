// SPDX-License-Identifier: Apache-2.0
// GrowthByJvm is by how much a number has grown that each JVM counts from its own beginning on: from the first look at it to
// the last, of each JVM by itself (jvm_numbers.h).
#pragma once

#include <cstdint>
#include <map>

namespace jrec {

class GrowthByJvm {
 public:
  void look(uint32_t jvm, int64_t at_ns, int64_t count);  // below 0: not known, and no look

  uint64_t looks() const { return looks_; }  // of all JVMs
  double growth() const;                     // of all JVMs together,
  double growth(uint32_t jvm) const;         // and of one
  bool is_counted(uint32_t jvm) const;       // between two looks
  int64_t length_ns() const;                 // between first and last looks, each moment once

 private:
  struct Course {
    int64_t least = 0, most = 0;
    int64_t first_ns = 0, last_ns = 0;
    uint64_t looks = 0;
  };
  std::map<uint32_t, Course> courses_;
  uint64_t looks_ = 0;
};

}  // namespace jrec
