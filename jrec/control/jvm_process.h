// SPDX-License-Identifier: Apache-2.0
// JvmProcess is what /proc tells of one process, as far as one needs it to know a JVM and to talk to it.
//
// Everything is a snapshot: the process may end or change at any time after. What may not be read (other users') is
// empty; `maps_readable` says whether "not mapped" means anything.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace jrec {

struct JvmProcess {
  pid_t pid = 0;
  pid_t inner_pid = 0;  // as the process itself knows it, in its own pid namespace
  uid_t euid = 0;
  gid_t egid = 0;
  char state = '?';             // as /proc/PID/status has it: R, S, D, T (stopped), t (traced), Z
  bool catches_quit = false;    // SIGQUIT has a handler; without one it kills
  bool refuses_attach = false;  // started with -XX:+DisableAttachMechanism; known once it was described (jvm_list.h)
  bool maps_readable = false;
  bool has_memory = false;  // what is ending has given it back, and has no maps to look at
  std::string libjvm;       // path of libjvm.so as the process sees it; empty: not mapped
  std::string agent;        // the same of librec.so, or librec-1.2.so; its file may be deleted
  bool records = false;     // the agent's spools are mapped
  std::vector<std::string> command;
  double uptime_s = 0;

  bool stopped() const { return state == 'T' || state == 't'; }
  bool is_jvm() const { return !libjvm.empty(); }
};

// Nothing: there is no such process (any more).
std::optional<JvmProcess> read_process(pid_t pid);

// True as long as the process is there and is no zombie.
bool is_alive(pid_t pid);

// The parts that have a text of their own to read, for the above and for tests.
void read_status(const std::string& status, JvmProcess& process);
void read_maps(const std::string& maps, JvmProcess& process);
// The kernel writes the paths of maps as who reads them sees them: below `root` when the process has changed its root
// directory (chroot). root: where /proc/PID/root leads.
std::string as_seen_below(const std::string& root, const std::string& path);
std::vector<std::string> split_command(const std::string& cmdline);
std::optional<double> start_s_after_boot(const std::string& stat);

}  // namespace jrec
