// SPDX-License-Identifier: Apache-2.0
// CsvEvents writes events of one type as a table with one header: RFC 4180, comma, lines end with a line feed.
//
//   startTime                   ISO 8601; other times too
//   duration_ns                 durations, in nanoseconds, as the header says
//   eventThread, ...Id          a thread is two columns: its name, and its Java id, or the OS's where it has none
//   objectClass, method         as in field_text.h
//   stackTrace                  root;...;top as `jrec collapsed` has it, the innermost --stack-depth frames
//   heapSpace.start             other structs are opened, to kMaxDepth
//
// A text that begins with = + - @ or a tab gets a ' in front, so that no spreadsheet runs it. Null is empty. A table
// over several chunks has the columns of all of them, in the order of their first appearance.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/input/recording.h"
#include "jrec/print/event_writer.h"
#include "jrec/select/filter.h"

namespace jrec {

inline constexpr int kMaxCsvDepth = 4;
inline constexpr size_t kMaxCsvColumns = 1024;

// Goes over the recording once to see which type is selected and what columns it needs. kUsage when the events are of
// more than one type: the sentence names them.
base::Result<std::unique_ptr<EventWriter>> csv_writer(Recording& recording, const Filter& filter, uint32_t stack_depth);

}  // namespace jrec
