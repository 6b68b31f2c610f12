// SPDX-License-Identifier: Apache-2.0
// HookWatch sees to it that a hook hears. Another profiler that hooks the same method calls the VM's own function, as a rule, and stays
// there when it has ended: nothing would come to us any more. So we go in front of him again, a few times: two who do so would never end.
// Who passes calls on to us, as another copy of this library does, stays where he is.
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

  // method: "Unsafe.park", what it tells of: "parks".
  HookWatch(const char* method, const char* what) : method_(method), what_(what) {}

  void begin(bool installed);
  void end() { hears_ = false; }
  using OnThread = std::function<bool(JNIEnv*)>;
  // A housekeeper's. in_front: what the method is bound to in place of us, or 0. hears: whether a call comes to us. install: binds it again.
  void keep(JavaVM* vm, uint64_t in_front, const OnThread& hears, const OnThread& install);

  // Why calls do not come to us; empty: they do, as far as one knows. Any ordinary thread.
  std::string trouble() const;

 private:
  const char *const method_, *const what_;
  std::atomic<bool> hears_{false};
  int returns_ = 0;
  uint64_t passes_on_ = 0;  // who stands in front of us, and calls us
};

}  // namespace rec::agent
