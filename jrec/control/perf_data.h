// SPDX-License-Identifier: Apache-2.0
// Reads the file in which a running HotSpot JVM shows its counters, /tmp/hsperfdata_USER/PID, if it shows any.
//
//   head:   ca fe c0 c0 | order u8 | major u8 | minor u8 | accessible u8
//           used i32 | overflow i32 | time i64 | first i32 | count i32
//   entry:  length i32 | name offset i32 | vector length i32
//           type u8 | flags u8 | units u8 | kind u8 | data offset i32
//
// Numbers are in the order that byte 4 tells: 1 is little-endian, the only one that is read. Offsets count from the
// entry. The JVM writes while we read, and who can write the file may write anything: each length is checked.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace jrec {

using PerfStrings = std::map<std::string, std::string>;

// The counters that are strings, by name: "sun.rt.javaCommand". Empty when it is no such file.
PerfStrings read_perf_strings(std::string_view file);

}  // namespace jrec
