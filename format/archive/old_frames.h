// SPDX-License-Identifier: Apache-2.0
// OldFrames are the stacks of a piece of version 0.9, told as those of today are (stack_model.h). A frame there is a
// structure of three or four integers of fixed width; as one of today its bytecode index is 0 if it has none.
#pragma once

#include <cstdint>
#include <vector>

#include "format/archive/stack_model.h"
#include "format/old/description.h"

namespace jfr::archive {

class OldFrames {
 public:
  explicit OldFrames(Streams& streams) : model_(streams) {}

  // An array of such structures.
  static bool is_stack(const old::Description& description, const old::Field& field);

  // The next stack, innermost frame first. Not of more than StackModel::kMostFrames.
  void put(const std::vector<StackFrame>& frames);
  // The same of who reads. False: there is none of `count` frames.
  bool take(uint64_t count, std::vector<StackFrame>& frames);

 private:
  StackModel model_;
  std::vector<uint8_t> wire_, wire_before_;  // as it stands in a chunk of today; the model looks at the one before
};

}  // namespace jfr::archive
