// SPDX-License-Identifier: Apache-2.0
// How heatmap, diff and convert are written on the command line.
#pragma once

#include "jrec/base/command_list.h"

namespace jrec {

void declare_heatmap(CommandList& commands);
void declare_diff(CommandList& commands);
void declare_convert(CommandList& commands);

}  // namespace jrec
