// SPDX-License-Identifier: Apache-2.0
// JvmNumbers tells the JVMs of a recording apart, which may be put together of several. Numbers that mean something in one
// JVM only, as those of collections, safepoints and addresses, are to be joined within it. What several recorders have
// recorded of one JVM stays apart: each numbers collections in its own way.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "format/reader/chunk.h"
#include "jrec/values/recorder.h"

namespace jrec {

// From jdk.JVMInformation, of which each recorder writes one into each chunk.
struct WriterProcess {
  int64_t pid = 0, start_ms = 0;
  Recorder recorder = Recorder::kJdk;
  auto operator<=>(const WriterProcess&) const = default;
};
std::optional<WriterProcess> writer_of(jfr::read::Chunk& chunk);  // nothing: the chunk does not tell

// Whether two recorders tell of one JVM: of the same process, whose beginnings lie less than 5 s apart. rec tells when the process began, the
// JDK when the VM did in it, and async-profiler when somebody first looked at it in /proc, before the one or after the other.
bool are_of_one_jvm(const WriterProcess& one, const WriterProcess& other);

// Whether the chunk's JVM began with it: what a JVM counts since its beginning was 0 at the chunk's start, or so little that it is no matter.
// Not of a chunk whose beginning was cut off: what it says about itself is older than it (files/event_selection.h).
bool begins_with(const std::optional<WriterProcess>& writer, jfr::read::Chunk& chunk);

class JvmNumbers {
 public:
  // Of the chunk's JVM; chunks in the order of the recording. One that does not tell is of the JVM before.
  uint32_t of(jfr::read::Chunk& chunk) { return of(writer_of(chunk)); }
  uint32_t of(const std::optional<WriterProcess>& process);

 private:
  std::map<WriterProcess, uint32_t> numbers_;
  uint32_t last_ = 0;
};

}  // namespace jrec
