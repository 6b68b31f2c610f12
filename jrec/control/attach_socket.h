// SPDX-License-Identifier: Apache-2.0
// AttachSocket is one connection to a JVM's attach listener. It never blocks beyond a deadline, and believes nobody:
// what lies at the socket's name must be a socket of the JVM's user or root, and the listener the JVM itself.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/base/deadline.h"
#include "jrec/control/jvm_process.h"
#include "jrec/control/target_root.h"

namespace jrec {

class AttachSocket {
 public:
  // A listener whose queue is full is tried again until the deadline. As root it connects with the JVM's own user and
  // group, because a JVM in a user namespace does not know our root.
  base::Status connect(const JvmProcess& process, const TargetRoot& root, const std::string& name,
                       const Deadline& limit);

  base::Status send(const std::string& bytes, const Deadline& limit);

  // Everything until the other side closes; errors when that is more than `most` bytes, or comes too late (ETIMEDOUT).
  base::Result<std::string> receive(size_t most, const Deadline& limit);

 private:
  base::Status check_listener(const JvmProcess& process) const;

  base::Descriptor socket_;
};

}  // namespace jrec
