// SPDX-License-Identifier: Apache-2.0
// Which mapped file some addresses lead into. Ordinary threads; reads /proc/self/maps. Needs no JVM.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rec::agent {

// The file that most of these addresses lead into, of those that are mapped as data; empty: none.
std::string mapped_file_of(std::span<const uint64_t> addresses);

// The same of a text like /proc/self/maps.
std::string mapped_file_of(std::span<const uint64_t> addresses, std::string_view maps);

}  // namespace rec::agent
