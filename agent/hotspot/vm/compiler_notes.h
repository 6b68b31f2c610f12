// SPDX-License-Identifier: Apache-2.0
// C2 notes of its instructions which method they come from: a bytecode, and the calls that were inlined around it. What it
// makes after it has inlined a call late, such as that of a box's valueOf(), gets the note of that call, unless it is a
// copy: the loops that it has unrolled since say so, whoever's they are. So on 17, 21, 25 and 26
// (set_default_node_notes() in CallGenerator::do_late_inline_helper(), src/hotspot/share/opto/callGenerator.cpp;
// another flaw than JDK-8201516, which is mended there).
//
//   long out(long s) {          .. 850   leaf@15, out@1
//     long r = leaf(s);         .. a2c   out@11           nearly all of leaf's loop
//     return Long.valueOf(r);   .. a40   leaf@39, out@1
//   }                           .. a44   leaf@39, out@1   its safepoint
//
// With such notes everywhere, and not at calls and polls alone (DebugNonSafepoints), they are what a profile shows.
// Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/code_cache.h"
#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

// The pc whose note holds for the code at `pc`, where a thread stands or has called a stub: itself, or another one. A note
// is doubtful if it is of a call's bytecode, no call with a note of its own is made there, and a quarter of all notes in the
// code are the same, in front of others of many kinds; or if it is of a goto, which makes no code but polls. It is not
// believed if others tell whose code it is: those of the loop that the pc is in (loop_notes.h), or those in front and behind
// (docs/walking.md). Where none does it stays: it is false, but of a caller of whose code it is, mostly.
uint64_t believed_pc(const Layout& layout, const CodeCache& cache, const CodeBlob& nmethod, uint64_t pc);

}  // namespace rec::agent
