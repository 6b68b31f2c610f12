// SPDX-License-Identifier: Apache-2.0
#include "agent/context/own_contexts.h"

#include "agent/context/virtual_contexts.h"
#include "agent/hotspot/processor/thread_local_place.h"
#include "agent/process/handler_local.h"

namespace rec::agent {
namespace {

// Where the thread pointer is, so that a handler reads it without the loader: 32 bytes of what a library that is loaded
// late gets of that (glibc: at least 512).
constinit REC_HANDLER_LOCAL ContextCell own_cell;

constinit VirtualContexts of_virtual_threads;

}  // namespace

bool write_own_context(int64_t virtual_id, const RequestContext& context) {
  if (virtual_id != 0) return of_virtual_threads.write(virtual_id, context);
  own_cell.write(context);
  return true;
}

bool read_own_context(int64_t virtual_id, RequestContext& to) {
  return virtual_id != 0 ? of_virtual_threads.read(virtual_id, to) : own_cell.read(to);
}

bool read_own_context_of(uint64_t pointer, int64_t virtual_id, RequestContext& to) {
  if (virtual_id != 0) return of_virtual_threads.read(virtual_id, to);
  const uint64_t cell = address_in(place_of_own(&own_cell), pointer);
  if (cell == 0) return false;
  return ContextCell::read_by([cell](size_t n, uint64_t& word) { return thread_word_at(cell + n * 8, word); }, to);
}

bool virtual_threads_have_contexts() { return of_virtual_threads.used(); }

}  // namespace rec::agent
