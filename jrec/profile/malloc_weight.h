// SPDX-License-Identifier: Apache-2.0
// What a sampled allocation of native memory stands for. Its event has the size, and the chunk's settings the interval of
// the samples in bytes: an allocation is sampled with the probability 1 - exp(-size / interval), so it stands for
//
//   size / (1 - exp(-size / interval))
//
// bytes: an interval if it is small, its size if it is large. A recording that does not tell the interval tells sizes.
//
// The weight is no field of its own: async-profiler's reader takes what stands behind the fields that it knows for the next
// event (one.jfr.JfrReader).
#pragma once

#include <cstdint>

#include "format/reader/chunk.h"

namespace jrec {

uint64_t malloc_weight(uint64_t size, uint64_t interval);  // interval: bytes; 0: each allocation is sampled

// The interval of a chunk's profiler.Malloc. All of its events are stepped over for that. otherwise: of a chunk that does
// not tell, as one that recovery has made of a spool.
uint64_t malloc_interval(jfr::read::Chunk& chunk, uint64_t otherwise);

}  // namespace jrec
