// SPDX-License-Identifier: Apache-2.0
// AnswerFile is where the agent in a JVM writes what became of a command: the attach protocol itself brings back a
// number only. It lies in the JVM's /tmp, 0600, the JVM user's, under a name that nobody can guess and that begins
// with our pid, for as long as the object lives; a signal that ends us removes it, too.
//
//   line 1   for people: one sentence
//   line 2   for programs: one JSON object, with "ok"
//
// The agent runs in a process that we do not trust: both lines are checked, and their length has a limit.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/base/interrupt.h"
#include "jrec/control/jvm_process.h"
#include "jrec/control/target_root.h"

namespace jrec {

struct AgentAnswer {
  bool ok = false;
  std::string line;  // as it came: print it with plain()
  std::string json;  // one object on one line, written anew
  std::string body;  // a text that the agent wrote elsewhere, to be printed instead of both; mostly empty
};

// Nothing when it is not two such lines.
std::optional<AgentAnswer> parse_answer(const std::string& text);

// The object with the pid that we know the process by: in a namespace the agent knows another one.
std::string with_pid(const std::string& json, pid_t pid);

// The object with a string member added, or replaced.
std::string with_member(const std::string& json, const std::string& key, const std::string& value);

class AnswerFile {
 public:
  static constexpr size_t kLongest = 64u << 10;

  static base::Result<AnswerFile> make(const JvmProcess& process, const TargetRoot& root);
  ~AnswerFile();
  AnswerFile(AnswerFile&& other) noexcept = default;
  AnswerFile& operator=(AnswerFile&&) = delete;

  std::string path() const { return "/tmp/" + name_; }  // as the JVM sees it

  // Nothing: no answer, or none that makes sense.
  std::optional<AgentAnswer> read() const;

 private:
  AnswerFile() = default;

  base::Descriptor directory_;
  base::Descriptor file_;
  std::string name_;
  std::unique_ptr<InTheMaking> in_the_making_;  // goes first
};

}  // namespace jrec
