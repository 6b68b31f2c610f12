// SPDX-License-Identifier: Apache-2.0
// A thread that has no record, as it is written: by its number in the system and its name there. Allocates nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "recorder/spool/facts.h"

namespace rec::agent {

// Two threads that have the same number one after the other are told apart by their names.
inline uint64_t number_of_stranger(int32_t os_id, std::string_view name) {
  uint64_t hash = 0;
  for (const char each : name) hash = (hash + static_cast<uint8_t>(each)) * 0x9E3779B97F4A7C15u;
  return uint64_t{1} << 47 | hash >> 49 << 32 | static_cast<uint32_t>(os_id);
}

inline ThreadShape shape_of_stranger(int32_t os_id, std::string_view name) {
  ThreadShape shape;
  shape.id = native_thread_id(number_of_stranger(os_id, name));
  shape.os_thread_id = os_id;
  shape.os_name = {name.data(), static_cast<uint16_t>(name.size())};
  return shape;
}

}  // namespace rec::agent
