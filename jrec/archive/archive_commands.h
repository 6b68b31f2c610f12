// SPDX-License-Identifier: Apache-2.0
// `jrec archive`: recordings in little space, restored to the byte (docs/archive_format.md).
#pragma once

#include "jrec/base/command_list.h"

namespace jrec {

void declare_archive(CommandList& commands);

}  // namespace jrec
