// SPDX-License-Identifier: Apache-2.0
// Where ZGC has moved an object to. A reference whose colour is an old one may lead to a copy that is gone: the collector's
// own load barrier looks then into the tables of what is being moved, or has been since the last marking, and so do we
// (src/hotspot/share/gc/z/zBarrier.inline.hpp, zForwarding.inline.hpp):
//
//   granule (2 MiB) of the address --> ZForwarding, or nothing: what lies there has not been moved
//   ZForwarding { start, alignment shift, number of entries } entries[]: a hash table, open addressing
//   entry  | from: index of the object, 18 bits | to: offset in the heap, 45 bits | 1: taken |
//
// The generational collector has a table for each generation. Which of them counts the colour tells: of its four bits
// one is set, and the number of that is the state of the old generation times two plus that of the young one.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class VmTables;

// At start. The tables of the generational collector are not exported. In ZHeap, behind the page table, they are two maps
// of one size, that of the old generation first (zHeap.hpp); other maps there come alone.
void load_zgc(const VmTables& tables, Layout::Zgc& zgc);

// Signal-safe. The newest address of the object that this reference with an old colour leads to, `address` without
// colours. False: it is not sure.
bool remap(const Layout::Zgc& zgc, uint64_t reference, uint64_t address, bool generational, uint64_t& to);

// Signal-safe. Where an object that was at this address has been moved to, as the table of one generation has it; 0: it
// was not, or the table has no such object. For references that have no colour: those of frames and of compiled code. What
// is there has to be proved, since the address may be a new one, where somebody else has been before.
inline constexpr int kGenerations = 2;
uint64_t moved_from(const Layout::Zgc& zgc, int generation, uint64_t address);

// Signal-safe. The number of the bit that is set among the four of a reference's colour, which begin at kRemappedShift
// (zAddress.hpp); -1: none, or several.
inline constexpr unsigned kRemappedShift = 12;
int colour_of(uint64_t reference);

}  // namespace rec::agent
