// SPDX-License-Identifier: Apache-2.0
// ThreadDumps is what the agent does for `jrec threads`: takes a dump and writes it to the file that was asked for.
// Records nothing. The recording takes its dumps here, too. Ordinary threads that Java knows, in the live phase, one at
// a time.
#pragma once

#include <jni.h>

#include <mutex>
#include <optional>
#include <string>

#include "agent/options/answer.h"
#include "agent/options/options.h"
#include "agent/threads/dumper.h"

namespace rec::agent {

class ThreadDumps {
 public:
  explicit ThreadDumps(VmSession& session) : session_(session) {}

  // The session is open. The file must not exist yet, 0600.
  Answer write(JNIEnv* jni, const Options& options);
  // What `use` makes of a dump, which holds until it returns.
  template <typename Use>
  auto with_dump(JNIEnv* jni, ThreadDetail detail, Use use) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!dumper_) dumper_.emplace(session_);
    return use(dumper_->take(jni, detail));
  }

 private:
  std::mutex mutex_;  // one dump at a time; held by our own threads and those that carry commands only
  VmSession& session_;
  std::optional<Dumper> dumper_;  // made by the first dump
};

}  // namespace rec::agent
