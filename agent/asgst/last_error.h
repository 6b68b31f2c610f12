// SPDX-License-Identifier: Apache-2.0
// What ASGST_LastError() tells: the error of the thread's last call of asgst.h. Signal-safe.
#pragma once

namespace rec::agent::asgst {

int last_error();

// Returns the error, so that a call can end with it.
int set_last_error(int error);

}  // namespace rec::agent::asgst
