// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/hook_watch.h"

#include "agent/options/log.h"
#include "agent/sampling/attached_thread.h"

namespace rec::agent {

void HookWatch::begin(bool installed) {
  hears_ = installed;
  returns_ = 0, passes_on_ = 0;
}

std::string HookWatch::trouble() const {
  if (hears_) return {};
  return std::string(what_) + " are not recorded: " + method_ + " is somebody else's, or not to be found";
}

void HookWatch::keep(JavaVM* vm, uint64_t in_front, const OnThread& hears, const OnThread& install) {
  if (!hears_ || in_front == 0 || in_front == passes_on_) return;
  const std::string taken = std::string("somebody took over ") + method_;
  const AttachedThread attached(vm);
  if (attached.jni() != nullptr && hears(attached.jni())) {
    passes_on_ = in_front;
    return say(LogLevel::kInfo, taken + ", and passes on to rec");
  }
  if (returns_ < kMostReturns && attached.jni() != nullptr && install(attached.jni())) {
    ++returns_;
    return say(LogLevel::kWarn, taken + "; rec stands in front of him now, and passes on what is his");
  }
  hears_ = false;
  say(LogLevel::kWarn,
      taken + (returns_ < kMostReturns ? "" : " again and again") + ": " + what_ + " are missing from here on");
}

}  // namespace rec::agent
