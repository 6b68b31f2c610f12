// SPDX-License-Identifier: Apache-2.0
// The settings of a type of events. Version 0.9 tells all of them in one event; since JDK 9 each has its own:
//
//   id 60, enabled, stacktrace, threshold, period 20 ms      jdk.ActiveSetting  id 60  enabled     true
//                                                                               id 60  stackTrace  true
//                                                                               id 60  period      20 ms
//
// A threshold or period that the type cannot have is the smallest or largest number there is, and is left out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/old/description.h"

namespace jfr::old {

struct TypeSettings {
  int64_t id = 0;
  std::vector<std::pair<std::string_view, std::string>> values;
};

// Whether events of that type are such ones.
bool tells_settings(const Description& description, const EventType& type);

// Reads the fields of an event of such a type.
TypeSettings read_settings(read::Cursor& in, const Description& description, const EventType& type);

}  // namespace jfr::old
