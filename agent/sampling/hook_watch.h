// SPDX-License-Identifier: Apache-2.0
// HookWatch sees to it that a hook hears. Another profiler that hooks the same method calls the VM's own function, as a rule, and stays
// there when it has ended: nothing would come to us any more. So we go in front of him again, a few times: two who do so would never end.
// Who passes calls on to us, as another copy of this library does, stays where he is, and is asked again from time to time.
//
//   begin(installed) -> keep(...) now and then, of the housekeeper -> end()
#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace rec::agent {

class HookWatch {
 public:
  static constexpr int kMostReturns = 3;
  static constexpr int64_t kAskAgainNs = 10'000'000'000;

  // method: "Unsafe.park", what it tells of: "parks".
  HookWatch(const char* method, const char* what) : method_(method), what_(what) {}

  using OnThread = std::function<bool(JNIEnv*)>;

  void begin(bool installed);
  void end() { watches_ = false; }
  // A housekeeper's. in_front: what the method is bound to in place of us, or 0. hears: whether a call comes to us. install: binds it again.
  void keep(JavaVM* vm, uint64_t in_front, const OnThread& hears, const OnThread& install);

  // Why calls do not come to us; empty: they do, as far as one knows. Any ordinary thread.
  std::string trouble() const;

 private:
  bool is_asked(uint64_t in_front);
  void hear(bool hears);

  const char *const method_, *const what_;
  std::atomic<bool> watches_{false}, hears_{false};
  int returns_ = 0;         // and the rest: the housekeeper's
  uint64_t asked_ = 0;      // who stood in front of us when a call was made
  uint64_t passed_on_ = 0;  // the last one of these who called us
  int64_t ask_again_ticks_ = 0;
};

}  // namespace rec::agent
