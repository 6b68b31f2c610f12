// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/profile_command.h"

#include <fmt/core.h>

namespace jrec {
namespace {

// --lines, --bci, --simple, --dot.
void add_frame_style(Command& command, FrameStyle& style) {
  command.add_flag("--lines", style.lines, "tell lines of a method apart: Thread.run:840");
  command.add_flag("--bci", style.bci, "tell bytecode indexes apart: Thread.run@12");
  command.add_flag("--simple", style.simple, "class names without package");
  command
      .on_flag(
          "--dot", [] {}, "dots in class names: the default, and accepted for those who are used to it")
      .repeatable();
}

}  // namespace

void add_files(Command& command, std::vector<std::string>& files) {
  command.add_option("FILE", files, "recordings (.jfr), treated as one; - for standard input").required();
}

void add_profile(Command& command, ProfileOptions& profile) {
  command
      .add_option("--event,-e", profile.event,
                  fmt::format("one kind of event: {}, or the name of a type", sample_name_list()))
      .default_str("cpu");
  add_profile_style(command, profile);
}

void add_profile_style(Command& command, ProfileOptions& profile) {
  command.add_flag("--samples", profile.count_samples, "count events, not what they weigh");
  command.add_flag("--mark-truncated", profile.mark_truncated,
                   "put a frame [truncated] under stacks whose outer frames are missing");
  command
      .on_flag(
          "--total", [&profile] { profile.count_samples = false; }, "what events weigh, not their number: the default")
      .repeatable();
  const Option leak =
      command.add_flag("--leak", profile.leak, "of native memory: only what was not freed in the recording");
  command
      .add_option("--tail", profile.tail_percent,
                  "of --leak: what was allocated in the last so many percent of the time is left out")
      .default_str("10")
      .in_range(0.0, 100.0)
      .needs(leak);
  add_frame_style(command, profile.frames);
  add_filter_options(command, profile.filter);
}

}  // namespace jrec
