// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/last_error.h"

#include "agent/process/handler_local.h"

namespace rec::agent::asgst {
namespace {

REC_HANDLER_LOCAL int own_error = 0;

}  // namespace

int last_error() { return own_error; }
int set_last_error(int error) { return own_error = error; }

}  // namespace rec::agent::asgst
