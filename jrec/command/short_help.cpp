// SPDX-License-Identifier: Apache-2.0
#include "jrec/command/short_help.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace jrec {
namespace {

constexpr const char* kExamples =
    "Examples\n"
    "  jrec start 4711 -f app.jfr           records the JVM with that process id; jrec list has them\n"
    "  jrec hot app.jfr                     its hottest methods\n"
    "  jrec open app.jfr                    all that it tells, in the browser\n"
    "\n"
    "jrec help COMMAND tells what a command takes, jrec --help what each is for.\n";

struct Topic {
  std::string name, commands;
};

std::vector<Topic> topics_of(const ProgramWords& words) {
  std::vector<Topic> topics;
  for (const CommandWords& command : words.commands) {
    auto topic = std::ranges::find(topics, command.topic, &Topic::name);
    if (topic == topics.end()) topic = topics.insert(topics.end(), {command.topic, ""});
    topic->commands += ' ' + command.name;
  }
  return topics;
}

}  // namespace

std::string short_help(const ProgramWords& words) {
  const std::vector<Topic> topics = topics_of(words);
  size_t width = 0;
  for (const Topic& topic : topics) width = std::max(width, topic.name.size());
  std::string text = words.what + "\n\n";
  for (const Topic& topic : topics) text += fmt::format("{:<{}} {}\n", topic.name, width, topic.commands);
  return text + '\n' + kExamples;
}

}  // namespace jrec
