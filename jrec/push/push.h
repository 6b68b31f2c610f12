// SPDX-License-Identifier: Apache-2.0
// `jrec push pyroscope|otlp URL FILE`: the samples of a recording to a server that keeps profiles.
//
//   recording --> samples of each kind --> windows (push_windows.h) --> a profile each --> POST,
//                                                                                          again if it may help
//
// It is a program of its own, so that no recording ever waits for a server: a JVM's agent starts it for each chunk,
// onchunk='jrec push ...'. What a server does not take is said with its words, and the exit code is kOutputFailed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct PushOptions {
  std::string kind, url, file;       // pyroscope, otlp
  std::vector<std::string> events;   // empty: the kinds that people look at
  std::vector<std::string> labels;   // "service=shop"
  std::vector<std::string> headers;  // "Name: value", or @FILE with one a line
  std::string every = "60s";
  int64_t retries = 5;
  int64_t timeout_s = 30;
  std::string ca_file;          // of certificates that are trusted, PEM; empty: those of the system
  ProfileOptions profile;       // of each of the events
  int64_t first_wait_ms = 500;  // before the second try; twice as long each time
};

ExitCode run_push(const PushOptions& options, Output& out);

void declare_push(CommandList& commands);

}  // namespace jrec
