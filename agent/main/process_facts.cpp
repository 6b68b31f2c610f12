// SPDX-License-Identifier: Apache-2.0
#include "agent/main/process_facts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "agent/process/os_state.h"
#include "agent/sampling/system_property.h"
#include "base/clock.h"
#include "base/redact.h"
#include "base/redact_arguments.h"
#include "base/small_file.h"

namespace rec::agent {
namespace {

constexpr char kJavaCommand[] = "sun.java.command";  // the main class and its arguments, with blanks between them
constexpr size_t kLongestCommandLine = 16u << 20;    // far more than the kernel takes by default

// The kernel has the arguments apart.
std::vector<std::string> command_line() {
  std::vector<std::string> arguments;
  const std::string text = base::read_small_file("/proc/self/cmdline", kLongestCommandLine).value_or("");
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    arguments.emplace_back(text, at, end - at);
    at = end + 1;
  }
  return arguments;
}

// The launcher's options that take their value as a word of its own.
bool takes_a_word(const std::string& argument) {
  for (const char* option :
       {"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path", "--add-modules",
        "--add-reads", "--add-exports", "--add-opens", "--limit-modules", "--patch-module", "--source"})
    if (argument == option) return true;
  return false;
}

// What stands before the main class on the command line. Empty when the JVM lives in a program of another kind.
std::span<const std::string> jvm_arguments(std::span<const std::string> command_line) {
  size_t end = 1;
  for (; end < command_line.size(); ++end) {
    const std::string& argument = command_line[end];
    if (!argument.starts_with('-') || argument == "-jar" || argument == "-m" || argument == "--module") break;
    if (takes_a_word(argument) && end + 1 < command_line.size()) ++end;
  }
  return command_line.empty() ? command_line : command_line.subspan(1, end - 1);
}

std::string jvm_arguments_text(std::span<const std::string> command_line) {
  std::string text;
  if (const char* tool_options = std::getenv("JAVA_TOOL_OPTIONS"))
    text = base::redact_arguments(tool_options, base::ArgumentKind::kJvm);
  const std::string said = base::redact_each(jvm_arguments(command_line), base::ArgumentKind::kJvm);
  if (!text.empty() && !said.empty()) text += ' ';
  return text + said;
}

// 0: the system does not tell.
int64_t process_start_unix_ms() {
  const OsState first = read_os_state(getpid());  // of the thread that it began with
  return first.elapsed_ns < 0 ? 0 : (base::now_unix_ns() - first.elapsed_ns) / 1'000'000;
}

void read_properties(jvmtiEnv* jvmti, ProcessFacts& facts, std::span<const std::string> command_line) {
  jint count = 0;
  char** keys = nullptr;
  if (jvmti->GetSystemProperties(&count, &keys) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    const std::string key = keys[i];
    const std::string value = system_property(jvmti, keys[i]);
    facts.system_properties.emplace_back(
        key, key == kJavaCommand ? base::redact_arguments(value, command_line) : base::redact_property(key, value));
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(keys[i]));
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(keys));
}

}  // namespace

std::string period_text(int64_t ns) {
  char text[32];
  if (ns % 1'000'000 == 0)
    std::snprintf(text, sizeof text, "%lld ms", static_cast<long long>(ns / 1'000'000));
  else if (ns % 1000 == 0)
    std::snprintf(text, sizeof text, "%lld us", static_cast<long long>(ns / 1000));
  else
    std::snprintf(text, sizeof text, "%lld ns", static_cast<long long>(ns));
  return text;
}

ProcessFacts read_process_facts(jvmtiEnv* jvmti, std::vector<EventSetting> settings) {
  ProcessFacts facts;
  facts.jvm_name = system_property(jvmti, "java.vm.name");
  facts.jvm_version = system_property(jvmti, "java.vm.name") + " (" + system_property(jvmti, "java.vm.version") +
                      ") for linux-amd64, " + system_property(jvmti, "java.vm.info");
  const std::vector<std::string> arguments = command_line();
  facts.jvm_arguments = jvm_arguments_text(arguments);
  facts.java_arguments = base::redact_arguments(system_property(jvmti, kJavaCommand), arguments);
  facts.jvm_start_unix_ms = process_start_unix_ms();
  facts.pid = getpid();
  read_properties(jvmti, facts, arguments);
  facts.settings = std::move(settings);
  return facts;
}

}  // namespace rec::agent
