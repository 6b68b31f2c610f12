// SPDX-License-Identifier: Apache-2.0
// Names of the system calls that threads sleep in. Any thread.
#pragma once

namespace rec::agent {

const char* system_call_name(int number);  // "futex"; null: not one of those that threads sleep in

}  // namespace rec::agent
