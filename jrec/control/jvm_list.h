// SPDX-License-Identifier: Apache-2.0
// The JVMs that run on this machine, from /proc and the files in which they show their counters. Nobody is signalled.
//
// Of other users' processes only what is readable is known: a process whose maps are closed to us counts as a JVM when
// its program is called java.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/control/jvm_process.h"

namespace jrec {

struct Jvm {
  JvmProcess process;
  std::string main;     // class, module/class or jar; empty when unknown
  std::string version;  // 17.0.13; empty when unknown
};

// Fills in what the process itself does not say.
Jvm describe(JvmProcess process);

// Ordered by pid.
std::vector<Jvm> running_jvms();

// The one that is meant by a pid, or by the name of its main class or jar: whole, else simple, else a part of it.
// When the name means none or several, the error names the candidates.
base::Result<Jvm> find_jvm(const std::string& target);
base::Result<Jvm> choose_jvm(std::vector<Jvm> all, const std::string& name);  // for tests

}  // namespace jrec
