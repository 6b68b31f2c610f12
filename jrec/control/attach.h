// SPDX-License-Identifier: Apache-2.0
// Speaks HotSpot's attach protocol: the JVM runs one command for us and sends back what it says.
//
//   1. Is there a socket /tmp/.java_pidN (N: the pid as the JVM knows it)?            then go to 4
//   2. Make the file .attach_pidN in its /tmp, or else in its working directory, and send SIGQUIT.
//   3. Wait until the JVM has made the socket. Remove the file.
//   4. Connect, send "1\0COMMAND\0ARG\0ARG\0ARG\0", read "STATUS\nTEXT" until the JVM closes.
//
// SIGQUIT kills a process without a handler for it, and makes a JVM that does not attach print all its stacks. So
// step 2 is refused unless the process has libjvm.so mapped, catches the signal, is not stopped, and was not started
// with -XX:+DisableAttachMechanism. The socket has to be a socket that belongs to the JVM's user or root, and the one
// who listens behind it has to be this very process.
//
// Every wait ends at the deadline.
#pragma once

#include <array>
#include <chrono>
#include <string>

#include "base/result.h"
#include "jrec/base/deadline.h"
#include "jrec/control/attach_reply.h"
#include "jrec/control/jvm_process.h"
#include "jrec/control/quit_signal.h"
#include "jrec/control/target_root.h"

namespace jrec {

// HotSpot's limit on each argument of version 1 of the protocol.
inline constexpr size_t kLongestAttachArgument = 1024;

// The longest time between the end of a dying process' connections and its own.
inline constexpr std::chrono::milliseconds kLastBreath{300};

struct AttachTarget {
  const JvmProcess& process;
  const TargetRoot& root;
  const QuitSignal& quit;
};

// Steps 1 to 3. `limit` bounds the wait of step 3.
base::Status wake_attach_listener(const AttachTarget& target, const Deadline& limit);

// Step 4.
base::Result<AttachReply> attach_command(const AttachTarget& target, const std::string& command,
                                         const std::array<std::string, 3>& arguments, const Deadline& limit);

}  // namespace jrec
