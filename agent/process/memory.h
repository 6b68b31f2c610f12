// SPDX-License-Identifier: Apache-2.0
// What the agent does when the system has no memory. C++ would throw, and an agent without exceptions would take the
// application with it: so operator new of this library (memory.cpp; hidden, the application keeps its own) waits in our
// own threads until there is memory again, and ends the process, as the VM does, in the application's, which may not
// wait. What may be large or can be done without asks with std::nothrow.
#pragma once

namespace rec::agent {

// The calling thread is ours: it waits from now on.
void wait_for_memory();

// Whether that was said of the calling thread.
bool is_thread_of_ours();

}  // namespace rec::agent
