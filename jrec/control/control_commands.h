// SPDX-License-Identifier: Apache-2.0
// How start, stop, dump, status and list are written on the command line.
#pragma once

#include "jrec/base/command_list.h"

namespace jrec {

void declare_control(CommandList& commands);

}  // namespace jrec
