// SPDX-License-Identifier: Apache-2.0
// The signal by which threads are asked that block the askers' own: SIGILL, which HotSpot unblocks in each thread of its
// own. One for all askers; what is no question goes on to who had the signal before, the VM. It does not queue: of two
// questions to a thread at the same time one may be lost.
//
// Where the system has no room for what a signal carries (RLIMIT_SIGPENDING, of all processes of a user), it comes without:
// as if process 0 had sent it by kill(). The VM would die of that. So once a question was sent by this signal, what comes
// with nothing is one, and has no answer. (So is what somebody sends from outside of the process' pid namespace.)
#pragma once

#include <csignal>
#include <cstdint>

#include "agent/sampling/own_signal.h"

namespace rec::agent {

// Ordinary threads. The number that this asker's questions carry; 0: there are too many askers.
int32_t add_spare_asker(OwnSignal::Handler on_question);

// Ordinary threads. Before one is sent.
void note_spare_question();

// Ordinary threads; again, for somebody may have replaced our handler. False: it is not to be had.
bool take_spare_question_signal();

}  // namespace rec::agent
