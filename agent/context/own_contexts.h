// SPDX-License-Identifier: Apache-2.0
// The contexts that threads have told rec themselves, by rec_context.h or rec.Context (docs/context.md): a cell in each
// thread of the system, and a table for virtual threads, so that a carrier never has one of those it carries.
//
// Ordinary threads write their own; reading is signal-safe.
#pragma once

#include <cstdint>

#include "agent/context/context_cell.h"

namespace rec::agent {

// virtual_id: of the virtual thread that the calling thread runs as; 0: none.
bool write_own_context(int64_t virtual_id, const RequestContext& context);  // false: there is no room
bool read_own_context(int64_t virtual_id, RequestContext& to);
// Of a thread that stands, by its thread pointer; with safe loads.
bool read_own_context_of(uint64_t thread_pointer, int64_t virtual_id, RequestContext& to);

// Whether it matters which virtual thread runs. Else 0 will do.
bool virtual_threads_have_contexts();

}  // namespace rec::agent
