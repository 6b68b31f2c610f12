// SPDX-License-Identifier: Apache-2.0
#include "agent/context/own_contexts.h"

#include "agent/context/virtual_contexts.h"
#include "agent/hotspot/x86_64/thread_local_place.h"

namespace rec::agent {
namespace {

// Where the thread pointer is, so that a handler reads it without the loader: 32 bytes of what a library that is loaded
// late gets of that (glibc: at least 512).
constinit thread_local ContextCell own_cell __attribute__((tls_model("initial-exec")));

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

// At the same distance in each thread.
bool read_own_context_of(uint64_t pointer, int64_t virtual_id, RequestContext& to) {
  if (virtual_id != 0) return of_virtual_threads.read(virtual_id, to);
  const uint64_t cell = pointer + (reinterpret_cast<uint64_t>(&own_cell) - thread_pointer());
  return ContextCell::read_by([cell](size_t n, uint64_t& word) { return thread_word_at(cell + n * 8, word); }, to);
}

bool virtual_threads_have_contexts() { return of_virtual_threads.used(); }

}  // namespace rec::agent
