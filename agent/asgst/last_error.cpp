// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/last_error.h"

namespace rec::agent::asgst {
namespace {

// initial-exec: no allocation at the first use in a thread, which may be in a handler.
thread_local int own_error __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

int last_error() { return own_error; }
int set_last_error(int error) { return own_error = error; }

}  // namespace rec::agent::asgst
