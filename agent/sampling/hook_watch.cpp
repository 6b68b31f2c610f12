// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/hook_watch.h"

#include <utility>

#include "agent/options/log.h"
#include "agent/sampling/attached_thread.h"
#include "base/clock.h"

namespace rec::agent {

void HookWatch::begin(bool installed) {
  returns_ = 0, asked_ = passed_on_ = 0;
  hears_ = installed;
  watches_ = installed;
}

std::string HookWatch::trouble() const {
  if (hears_) return {};
  return std::string(what_) + " are not recorded: " + method_ + " is somebody else's, or not to be found";
}

bool HookWatch::is_asked(uint64_t in_front) {
  const int64_t now = base::now_ticks();
  if (in_front == asked_ && now < ask_again_ticks_) return false;
  asked_ = in_front;
  ask_again_ticks_ = now + kAskAgainNs;
  return true;
}

void HookWatch::hear(bool hears) {
  if (hears_.exchange(hears) || !hears) return;
  say(LogLevel::kWarn, std::string("calls of ") + method_ + " come to rec again: " + what_ + " are told from here on");
}

void HookWatch::keep(JavaVM* vm, uint64_t in_front, const OnThread& hears, const OnThread& install) {
  if (!watches_) return;
  if (in_front == 0) return hear(true);
  if (!is_asked(in_front)) return;
  const std::string taken = std::string("somebody took over ") + method_;
  const AttachedThread attached(vm);
  if (attached.jni() != nullptr && hears(attached.jni())) {
    if (std::exchange(passed_on_, in_front) != in_front) say(LogLevel::kInfo, taken + ", and passes on to rec");
    return hear(true);
  }
  if (!hears_) return;
  if (returns_ < kMostReturns && attached.jni() != nullptr && install(attached.jni())) {
    ++returns_;
    asked_ = 0;  // whether it helped
    return say(LogLevel::kWarn, taken + "; rec stands in front of him now, and passes on what is his");
  }
  hear(false);
  say(LogLevel::kWarn,
      taken + (returns_ < kMostReturns ? "" : " again and again") + ": " + what_ + " are missing from here on");
}

}  // namespace rec::agent
