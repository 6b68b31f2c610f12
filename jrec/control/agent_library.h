// SPDX-License-Identifier: Apache-2.0
// AgentLibrary finds the librec.so that a JVM is to load, and brings it where the JVM can reach it.
//
//   1. the one that the JVM has loaded already, whatever became of its file: loading it again is how one talks to it
//   2. the one that the user names
//   3. the one beside jrec: ../lib/librec.so, librec.so, ../agent/librec.so
//
// When that path is another file, or none, in the JVM's mount namespace, a copy goes to /tmp/rec-RANDOM/librec.so
// there: 0500 in a directory 0700, the JVM user's. A copy that was loaded stays, because the JVM needs the path for the
// next command; one that was not goes again.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "jrec/control/jvm_process.h"
#include "jrec/control/private_directory.h"
#include "jrec/control/target_root.h"

namespace jrec {

class AgentLibrary {
 public:
  // wanted: the user's choice, empty for none.
  static base::Result<AgentLibrary> find(const JvmProcess& process, const TargetRoot& root, const std::string& wanted);

  const std::string& path() const { return path_; }  // as the JVM sees it

  // The JVM has it: a copy stays from now on.
  void keep() {
    if (copy_) copy_->keep();
  }

 private:
  std::string path_;
  std::optional<PrivateDirectory> copy_;
};

}  // namespace jrec
