// SPDX-License-Identifier: Apache-2.0
// The part of a virtual thread's stack that lies in the heap. When a virtual thread goes on after it has waited, HotSpot
// brings its innermost frames back to a carrier's stack (thaws them); the others stay in a StackChunk until a frame
// returns to them (JEP 444; src/hotspot/share/oops/stackChunkOop.hpp, runtime/stackChunkFrameStream.hpp):
//
//   Continuation.tail --> StackChunk { parent, size, sp, bottom, ... | stack of `size` words }
//                            |                 sp ^          ^ bottom: the outermost frame ends; arguments follow
//                            +--> parent: a chunk with the frames further out, and so on
//
// Frames lie there as on a stack, [sp - 8] the pc and [sp - 16] the frame pointer of the frame at sp, but that pointers
// inside interpreted frames count words from where they are (frame pointer) or from the frame pointer.
//
// Another thread may be freezing, a collector moving what we read. So nothing of a chunk is believed unless its frames,
// from sp on, end exactly where bottom says, and the chunk says the same of itself afterwards. Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/load_order.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

struct StackChunk {
  uint64_t parent = 0;                     // an object's address; 0: there is none
  uint64_t begin = 0, sp = 0, bottom = 0;  // addresses
  uint64_t end = 0;                        // behind the arguments
  friend bool operator==(const StackChunk&, const StackChunk&) = default;
};

// The chunk that was at this address. False: there is none, or it is not sure to be one.
bool read_chunk(const Layout& layout, uint64_t address, StackChunk& chunk);

inline constexpr int kMaxChunks = 64;  // of a continuation; each is as large as what was frozen at once

// Calls visit(chunk) for the one at this address, its parent, and so on. False: one of them is none, or said something
// else after its visit than before; or visit() has declined one; or there is no end of them.
template <typename Visit>
bool each_chunk(const Layout& layout, uint64_t address, Visit visit) {
  for (int i = 0; i < kMaxChunks && address != 0; ++i) {
    StackChunk chunk, after;
    if (!read_chunk(layout, address, chunk)) return false;
    loads_until_here();
    if (!visit(chunk)) return false;
    loads_until_here();
    if (!read_chunk(layout, address, after) || !(after == chunk)) return false;
    address = chunk.parent;
  }
  return address == 0;
}

// The newest chunk of the continuation that the thread has entered; entered: of the word on its stack that says which
// (enter_special.h). False: not sure; 0: it has none.
bool find_chunk(const Layout& layout, uint64_t java_thread, uint64_t entered, uint64_t& chunk);

// A cursor over the frames of a chunk, innermost first: look at pc(), and leave the frame by its kind. False: the
// frame is none, and the walk through the chunk over.
class ChunkFrames {
 public:
  explicit ChunkFrames(const StackChunk& chunk);

  bool at_bottom() const { return sp_ == chunk_.bottom; }
  uint64_t pc() const { return pc_; }
  uint64_t sp() const { return own_sp_; }  // of a compiled frame, its arguments to an interpreted callee left out
  // Of an interpreted frame; 0: it leads out of the chunk.
  uint64_t interpreted_fp() const;

  bool leave_compiled(uint32_t frame_words);
  bool leave_interpreted(uint64_t fp);

 private:
  bool go_to(uint64_t sp, uint64_t own_sp);

  const StackChunk& chunk_;
  uint64_t pc_ = 0;
  uint64_t sp_ = 0;      // where the caller stands for its callee,
  uint64_t own_sp_ = 0;  // and for itself
};

}  // namespace rec::agent
