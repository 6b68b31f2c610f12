// SPDX-License-Identifier: Apache-2.0
// Who wrote a chunk. What is of no other known recorder is of the JDK.
#pragma once

#include <cstdint>
#include <string_view>

#include "format/reader/metadata.h"

namespace jrec {

enum class Recorder : uint8_t { kRec, kAsyncProfiler, kJdk };

// By a type that it alone declares.
Recorder recorder_of(const jfr::read::Metadata& metadata);

std::string_view recorder_words(Recorder recorder);  // "rec", "async-profiler", "the JDK"

}  // namespace jrec
