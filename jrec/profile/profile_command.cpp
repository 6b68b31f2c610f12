// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/profile_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace jrec {
namespace {

// --lines, --bci, --simple, --dot.
void add_frame_style(CLI::App& command, FrameStyle& style) {
  command.add_flag("--lines", style.lines, "tell lines of a method apart: Thread.run:840");
  command.add_flag("--bci", style.bci, "tell bytecode indexes apart: Thread.run@12");
  command.add_flag("--simple", style.simple, "class names without package");
  command.add_flag_function(
      "--dot", [](int64_t) {}, "dots in class names: the default, and accepted for those who are used to it");
}

}  // namespace

void add_profile(CLI::App& command, ProfileOptions& profile) {
  command
      .add_option("--event,-e", profile.event,
                  fmt::format("one kind of event: {}, or the name of a type", event_name_list()))
      ->default_str("cpu");
  add_profile_style(command, profile);
}

void add_profile_style(CLI::App& command, ProfileOptions& profile) {
  command.add_flag("--samples", profile.count_samples, "count events, not what they weigh");
  command.add_flag("--mark-truncated", profile.mark_truncated,
                   "put a frame [truncated] under stacks whose outer frames are missing");
  command.add_flag("--total{false}", profile.count_samples, "what events weigh, not their number: the default");
  add_frame_style(command, profile.frames);
  add_filter_options(command, profile.filter);
}

}  // namespace jrec
