// SPDX-License-Identifier: Apache-2.0
// `jrec start|stop|dump|status|set|threads`: commands to the agent in a running JVM, by the JVM's own attach protocol.
// There is no server of ours in it. The agent is loaded by the first start or threads; status, stop, dump
// and set never load it.
//
//   find the JVM -> make the answer file -> load the agent, or load it again, with a text of options -> read the answer
//
// A process is never harmed: see attach.h for what is checked before it gets a signal. Every command ends: within
// kListenerLimit for the JVM to open its socket, and the user's time limit for the agent's answer.
//
// One line is printed on standard output, or with --json one object. Whatever did not work is one line on standard
// error, and with --json an object {"ok":false,"error":...} as well.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

inline constexpr std::chrono::seconds kListenerLimit{10};

enum class ControlVerb { kStart, kStop, kDump, kStatus, kSet, kThreads };

const char* word_of(ControlVerb verb);

struct ControlOptions {
  ControlVerb verb = ControlVerb::kStatus;
  std::string target;  // pid, main class or jar
  std::string file;    // the recording (start), where it goes (stop, dump); empty: the agent's choice
  std::vector<std::string> agent_options;  // key=value, for start and set
  std::string agent;                       // path of librec.so; empty: see agent_library.h
  int timeout_s = 60;
  std::string detail;  // of threads; empty: the agent's choice
  bool json = false;
};

ExitCode run_control(const ControlOptions& options, Output& out);

}  // namespace jrec
