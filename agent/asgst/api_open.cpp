// SPDX-License-Identifier: Apache-2.0
// The calls of asgst.h that open it and tell of errors.
#include <asgst.h>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"

namespace rec::agent::asgst {
namespace {

constexpr int kMostNegative = ASGST_NOT_REGISTERED;

// By the error, its sign turned.
constexpr const char* kNames[] = {"ok",         "notOpen",      "noVm",    "tooEarly",  "noStructures", "unknownLayout",
                                  "noClassIds", "badArgument",  "badSize", "badMethod", "badClass",     "unknownThread",
                                  "unsafe",     "noFrames",     "torn",    "timeout",   "unavailable",  "noId",
                                  "full",       "notRegistered"};
static_assert(sizeof kNames / sizeof *kNames == 1 - kMostNegative);

}  // namespace

extern "C" {

JNIEXPORT const char* ASGST_ErrorName(int code) {
  if (code == ASGST_TRUNCATED) return "truncated";
  return code <= 0 && code >= kMostNegative ? kNames[-code] : "unknown";
}

JNIEXPORT int ASGST_LastError(void) { return last_error(); }
JNIEXPORT void ASGST_SetLastError(int code) { set_last_error(code); }
JNIEXPORT int ASGST_Version(void) { return ASGST_VERSION; }
JNIEXPORT int ASGST_Open(JavaVM* vm, int flags) { return set_last_error(open_session(vm, flags)); }
JNIEXPORT const char* ASGST_Reason(void) { return closed_reason(); }

JNIEXPORT uint32_t ASGST_Capabilities(void) {
  const Session* of = session();
  return of == nullptr ? 0 : of->capabilities.load(std::memory_order_relaxed);
}

}  // extern "C"

}  // namespace rec::agent::asgst
