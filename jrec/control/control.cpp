// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/control.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/new_file.h"
#include "base/private_directory.h"
#include "jrec/base/escape.h"
#include "jrec/base/quiet.h"
#include "jrec/control/agent_library.h"
#include "jrec/control/agent_options.h"
#include "jrec/control/answer_file.h"
#include "jrec/control/attach.h"
#include "jrec/control/jvm_list.h"
#include "jrec/control/private_directory.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr const char* kFetchedFile = "recording.jfr";
constexpr const char* kThreadsFile = "threads.txt";
constexpr std::chrono::milliseconds kAgentsLimit{5000},
    kAgentsPause{50};  // for a JVM to start so far that it takes agents

// One command on its way. Each step returns what went wrong, in words that follow "jrec: PID: ".
class Errand {
 public:
  Errand(const ControlOptions& options, const JvmProcess& process)
      : options_(options), process_(process), quit_(process.pid) {}

  base::Result<AgentAnswer> run() {
    if (const std::string why = out_of_bounds(); !why.empty()) return Error{ErrorCode::kUsage, 0, why};
    const bool loads = options_.verb == ControlVerb::kStart || options_.verb == ControlVerb::kThreads;
    if (process_.agent.empty() && !loads) return answer_without_agent();
    base::Result<TargetRoot> root = TargetRoot::open(process_);
    if (!root) return root.error();
    return run_in(root.value());
  }

 private:
  std::string out_of_bounds() const {
    if (::geteuid() != 0 && ::geteuid() != process_.euid)
      return fmt::format("it runs as user {}; run jrec as that user, or as root", process_.euid);
    if (!process_.has_memory) return "it has no memory: it is ending, or the kernel's";
    if (!process_.maps_readable && ::geteuid() == 0)
      return "may not look at its memory map, though jrec runs as root: it lacks CAP_SYS_PTRACE here, or is in another "
             "container";
    if (!process_.maps_readable) return "may not look at its memory map; run jrec as root";
    if (!process_.is_jvm()) return "it has no libjvm.so mapped: it is no JVM";
    return "";
  }

  base::Result<AgentAnswer> answer_without_agent() const {
    if (options_.verb != ControlVerb::kStatus)
      return Error{ErrorCode::kUsage, 0, "there is no recording: the agent is not loaded"};
    return AgentAnswer{
        true,
        "not recording: the agent is not loaded",
        fmt::format("{{\"ok\":true,\"command\":\"status\",\"pid\":{},\"recording\":false}}", process_.pid),
        {}};
  }

  base::Result<AgentAnswer> run_in(const TargetRoot& root) {
    base::Result<AgentLibrary> library = AgentLibrary::find(process_, root, options_.agent);
    if (!library) return library.error();
    base::Result<AnswerFile> file = AnswerFile::make(process_, root);
    if (!file) return file.error();
    if (base::Status done = prepare_fetch(root); !done.ok()) return done.error();
    const base::Result<std::string> text = text_of_options(root, file.value());
    if (!text) return text.error();
    base::Result<AgentAnswer> answer = load(root, library.value(), text.value(), file.value());
    if (answer.ok() && answer->ok) return brought_home(std::move(*answer), root);
    return answer;
  }

  // A file that the JVM writes in a tree of its own is brought over when it is done.
  base::Status prepare_fetch(const TargetRoot& root) {
    if (options_.verb == ControlVerb::kThreads) return prepare_fetch(root, kThreadsFile);
    const bool writes = options_.verb == ControlVerb::kStop || options_.verb == ControlVerb::kDump;
    if (root.is_ours() || !writes || options_.file.empty()) return base::Done{};
    if (base::Status usable = may_fetch_to(options_.file); !usable.ok()) return usable;
    return prepare_fetch(root, kFetchedFile);
  }

  // Before a recording ends that could not be brought over.
  static base::Status may_fetch_to(const std::string& file) {
    const base::Result<base::NewFile> made = base::NewFile::make(file);
    const base::Status usable = made ? base::check_plain(made->place()) : base::Status(made.error());
    if (usable.ok()) return usable;
    return Error{usable.error().code, 0, usable.error().what + "; the recording goes on"};
  }

  base::Status prepare_fetch(const TargetRoot& root, const char* name) {
    base::Result<PrivateDirectory> place = PrivateDirectory::make(process_, root, name);
    if (!place) return place.error();
    fetch_.emplace(std::move(*place));
    return base::Done{};
  }

  std::string file_for_agent(const TargetRoot& root, const std::string& file) const {
    if (fetch_) return fetch_->path();
    return root.is_ours() ? absolute_pattern(file) : file;
  }

  base::Result<std::string> text_of_options(const TargetRoot& root, const AnswerFile& answer) const {
    AgentOptions text(word_of(options_.verb));
    std::vector<KeyValue> options = {{"answer", answer.path()}};
    const bool threads = options_.verb == ControlVerb::kThreads;
    if (threads || !options_.file.empty()) options.push_back({"filename", file_for_agent(root, options_.file)});
    if (threads && options_.json) options.push_back({"threadsformat", "json"});
    if (threads && !options_.detail.empty()) options.push_back({"threadsdetail", options_.detail});
    for (const std::string& word : options_.agent_options) {
      base::Result<KeyValue> option = parse_key_value(word);
      if (!option) return option.error();
      if (!option->alone && is_path_option(option->key)) option->value = file_for_agent(root, option->value);
      options.push_back(std::move(*option));
    }
    for (const KeyValue& option : options) {
      if (option.alone)
        text.add(option.key);
      else if (base::Status added = text.add(option.key, option.value); !added.ok())
        return added.error();
    }
    return text.text();
  }

  base::Result<AgentAnswer> load(const TargetRoot& root, AgentLibrary& library, const std::string& text,
                                 const AnswerFile& file) {
    const AttachTarget target{process_, root, quit_};
    if (base::Status awake = wake_attach_listener(target, Deadline(kListenerLimit)); !awake.ok()) return awake.error();
    const Deadline limit{std::chrono::seconds(options_.timeout_s)};
    const auto ask = [&] { return attach_command(target, "load", {library.path(), "true", text}, limit); };
    base::Result<AttachReply> reply = ask();
    for (const Deadline start(kAgentsLimit); is_too_early(reply) && !start.over(); reply = ask())
      std::this_thread::sleep_for(kAgentsPause);
    keep_if_loaded(library);
    if (!reply) return reply.error();
    if (const auto answer = file.read()) return *answer;
    return Error{ErrorCode::kUsage, 0, why_no_answer(*reply)};
  }

  // A JVM that starts answers before it takes agents (JDK 21 and later, jvmtiAgentList.cpp).
  static bool is_too_early(const base::Result<AttachReply>& reply) {
    return reply.ok() && reply->text.find("only permitted in the live phase") != std::string::npos;
  }

  // Whatever it answered, or did not: as long as it is mapped its path is needed.
  void keep_if_loaded(AgentLibrary& library) const {
    const auto now = read_process(process_.pid);
    if (now && now->agent == library.path()) library.keep();
  }

  std::string why_no_answer(const AttachReply& reply) const {
    const bool forbidden = reply.text.find("ynamic agent loading is not enabled") != std::string::npos;
    if (forbidden) return fmt::format("{} Or start it with -agentpath", reply.text);
    if (!reply.return_code && !reply.text.empty()) return reply.text;
    if (quit_.ended_within(kLastBreath)) return "it ended before the agent could answer";
    const int code = reply.return_code.value_or(reply.status);
    return fmt::format("the agent in it gave no answer (return code {}); is it an older librec.so?", code);
  }

  base::Result<AgentAnswer> brought_home(AgentAnswer answer, const TargetRoot& root) {
    if (options_.verb == ControlVerb::kThreads) return with_dump(std::move(answer));
    if (!fetch_) return root.is_ours() ? answer : in_its_own_tree(std::move(answer));
    const base::Result<std::string> written = fetch_->fetch_beside(process_, options_.file);
    if (!written) return left_there(written.error());
    const size_t at = answer.line.find(fetch_->path());
    if (at != std::string::npos) answer.line.replace(at, fetch_->path().size(), *written);
    answer.json = with_member(with_pid(answer.json, process_.pid), "filename", *written);
    return answer;
  }

  // Of a recording that is over it is the only copy.
  Error left_there(Error error) {
    if (options_.verb != ControlVerb::kStop) return error;
    fetch_->keep();
    error.what += fmt::format("; the recording is over, and is in /proc/{}/root{}", process_.pid, fetch_->path());
    return error;
  }

  // On standard output stands the dump itself; in a file, one line tells of it.
  base::Result<AgentAnswer> with_dump(AgentAnswer answer) const {
    const size_t at = answer.line.find(" to " + fetch_->path());
    if (!options_.file.empty()) {
      if (base::Status done = fetch_->fetch(process_, options_.file); !done.ok()) return done.error();
      if (at != std::string::npos) answer.line.replace(at + 4, std::string::npos, options_.file);
      answer.json = with_member(with_pid(answer.json, process_.pid), "filename", options_.file);
      return answer;
    }
    base::Result<std::string> text = fetch_->read(process_);
    if (!text) return text.error();
    answer.body = without_controls(std::move(*text));
    return answer;
  }

  // Lines and tabs stay; a thread's name is not to command a terminal. Both forms, text and JSON, stay what they are.
  static std::string without_controls(std::string text) {
    for (char& c : text)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) c = '?';
    std::string out;
    append_plain(text, out, "\n\t");
    return out;
  }

  AgentAnswer in_its_own_tree(AgentAnswer answer) const {
    answer.line += fmt::format(" (files of {} lie in its own tree: /proc/{}/root)", process_.pid, process_.pid);
    answer.json = with_member(with_pid(answer.json, process_.pid), "root", fmt::format("/proc/{}/root", process_.pid));
    return answer;
  }

  const ControlOptions& options_;
  const JvmProcess& process_;
  const QuitSignal quit_;
  std::optional<PrivateDirectory> fetch_;
};

std::string error_object(const ControlOptions& options, pid_t pid, const std::string& what) {
  std::string out = fmt::format("{{\"ok\":false,\"command\":\"{}\",", word_of(options.verb));
  if (pid != 0) out += fmt::format("\"pid\":{},", pid);
  out += "\"error\":";
  append_json_string(what, out);
  return out + "}";
}

ExitCode refuse(const ControlOptions& options, Output& out, pid_t pid, const std::string& subject, const Error& error,
                ExitCode code) {
  if (options.json) out.add(error_object(options, pid, error.what) + "\n");
  complain(subject, Error{ErrorCode::kSystem, 0, error.what});
  return code;
}

}  // namespace

const char* word_of(ControlVerb verb) {
  switch (verb) {
    case ControlVerb::kStart: return "start";
    case ControlVerb::kStop: return "stop";
    case ControlVerb::kDump: return "dump";
    case ControlVerb::kStatus: return "status";
    case ControlVerb::kSet: return "set";
    case ControlVerb::kThreads: return "threads";
  }
  return "";
}

ExitCode run_control(const ControlOptions& options, Output& out) {
  base::Result<Jvm> jvm = find_jvm(options.target);
  if (!jvm) {
    const bool no_process = jvm.error().code == ErrorCode::kSystem;
    return refuse(options, out, 0, word_of(options.verb), jvm.error(), no_process ? kNotAttached : kUsageError);
  }
  const pid_t pid = jvm->process.pid;
  base::Result<AgentAnswer> answer = Errand(options, jvm->process).run();
  if (!answer) return refuse(options, out, pid, std::to_string(pid), answer.error(), kNotAttached);
  if (!answer->body.empty())
    out.add(answer->body);
  else if (options.json)
    out.add(answer->json + "\n");
  else if (answer->ok && (!quiet() || options.verb == ControlVerb::kStatus))
    out.add(plain(answer->line) + "\n");
  if (!answer->ok) complain(std::to_string(pid), Error{ErrorCode::kSystem, 0, answer->line});
  return answer->ok ? kDone : kNotAttached;
}

}  // namespace jrec
