// SPDX-License-Identifier: Apache-2.0
// Native code that enters Java through an upcall stub of the foreign function interface (JEP 454).
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/walk/walker.h"

namespace rec::agent {

// Java was entered here: the frame's data begins with the anchor of the Java frame that had left for native code
// (UpcallStub::FrameData, src/hotspot/share/code/codeBlob.hpp). A thread that has come from outside has none. Its frame is
// found by its frame pointer, which Java keeps for it: the blob tells no size (UpcallLinker::make_upcall_stub).
bool Walker::upcall_stub(const CodeBlob& blob) {
  const uint64_t data = upcall_data_at(blob.code_begin, blob.code_end);
  if (data == 0) return stop(WalkEnd::kBadFrame);
  const uint64_t saved = sp_ + data;
  if (saved >= stack_base_) return stop(WalkEnd::kBadStack);
  return leave_java(saved);
}

}  // namespace rec::agent
