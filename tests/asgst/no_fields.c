// SPDX-License-Identifier: Apache-2.0
// Preloaded, it hides the VM's own table of fields behind an empty one, as a future HotSpot might have.
#include <stddef.h>

static const char nothing[256];
const void* gHotSpotVMStructs = nothing;
