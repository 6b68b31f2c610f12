// SPDX-License-Identifier: Apache-2.0
// A command as text, as a running VM is given it: by its attach mechanism (agent.cpp), or by rec.Recorder from inside
// (java_recorder.cpp). The text is that of -agentpath: "start,filename=app.jfr", "dump", "stop".
#pragma once

#include <jni.h>

#include <optional>
#include <string>

#include "agent/options/answer.h"

namespace rec::agent {

struct TextCommand {
  std::optional<Answer> answer;  // none: it has only printed (help, version), or there was nothing to do (api)
  std::string answer_path;       // where a front end wants it; empty: nowhere
  bool exit_on_error = false;    // onerror=exit was among the options, also if others are wrong
  base::ErrorCode why = base::ErrorCode::kSystem;  // of an answer that is an error

  Error error() const { return Error{why, 0, answer->error, 0}; }
};

// Any thread that Java knows, while the VM is alive. The VM stays as it is, whatever is wrong with the command.
TextCommand carry_out_text(JavaVM* vm, const char* text);

// The application runs unrecorded, or ends, as the user asked: one line says so.
void refuse(const Error& error, bool exit_on_error);

}  // namespace rec::agent
