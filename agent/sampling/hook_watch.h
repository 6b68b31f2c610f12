// SPDX-License-Identifier: Apache-2.0
// HookWatch keeps a hook in front. Another profiler that hooks the same method calls the VM's own function, as a rule, and stays there
// when it has ended: nothing would come to us any more. So we go in front of him again, a few times: two who do so would never end.
//
//   begin(installed) -> keep(...) now and then, of the housekeeper -> end()
#pragma once

#include <jni.h>

#include <atomic>
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
  // A housekeeper's. in_front: whether the method is bound to us still. install(jni): binds it again.
  void keep(JavaVM* vm, bool in_front, const std::function<bool(JNIEnv*)>& install);

  // Why calls do not come to us; empty: they do, as far as one knows. Any ordinary thread.
  std::string trouble() const;

 private:
  const char *const method_, *const what_;
  std::atomic<bool> hears_{false};
  int returns_ = 0;
};

}  // namespace rec::agent
