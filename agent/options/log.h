// SPDX-License-Identifier: Apache-2.0
// What the agent says on stderr: one line each, prefixed "rec: ". The application owns stderr, so there is little.
#pragma once

#include <string>
#include <string_view>

#include "agent/options/options.h"

namespace rec::agent {

void set_log_level(LogLevel level);
void say(LogLevel level, std::string_view line);  // any ordinary thread
void say_always(std::string_view line);           // what the user has asked for
void say_from_recorder(const char* line);         // as EngineConfig::log wants it

}  // namespace rec::agent
