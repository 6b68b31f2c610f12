// SPDX-License-Identifier: Apache-2.0
// CallerStack is an ASGST_Stack as its caller may have it: of this version, or of an older one that ends earlier and is
// not touched behind its end. For handlers.
#pragma once

#include <asgst.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/asgst/session.h"
#include "agent/hotspot/walk/stack_walker.h"

namespace rec::agent::asgst {

class CallerStack {
 public:
  // An ASGST_Error; ASGST_OK: it can be filled.
  static int check(const ASGST_Stack* stack);

  explicit CallerStack(ASGST_Stack& stack) : stack_(stack) {}

  ASGST_Stack& stack() const { return stack_; }
  bool wants(uint32_t what) const { return is_version_2() && (stack_.wanted & what) != 0; }
  // The same walk once more: into other frames, with no places. again: room for it.
  ASGST_Stack twin(ASGST_Frame* frames) const;

  void clear();
  void belongs_to(const StackOwner& owner);

  // For a walk: what it shows, and where its frames go. has_room: on the handler's stack, for native frames.
  ShownFrames shown(bool has_room);
  std::span<RawFrame> room() const;
  // An ASGST_Error. walk: into room(), with the frames of shown().
  int fill(const Session& session, const Walk& walk);

 private:
  bool is_version_2() const;
  bool gives(uint32_t what) const { return is_version_2() && (stack_.given & what) != 0; }
  bool write_frame(const Session& session, uint32_t index, const RawFrame& raw);
  void write_place(const Session& session, uint32_t index, const RawFrame& raw);

  ASGST_Stack& stack_;
};

}  // namespace rec::agent::asgst
