// SPDX-License-Identifier: Apache-2.0
// The signals of our own threads.
#pragma once

namespace rec::agent {

// The calling thread, and those that it starts from now on, block every signal but faults: the application's signals are
// for the application's threads, while a fault whose signal is blocked ends the process (safe loads fail by one).
void block_all_but_faults();

}  // namespace rec::agent
