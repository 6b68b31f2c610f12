// SPDX-License-Identifier: Apache-2.0
// RecordingFile is the front door of this library: a recording, chunk by chunk.
//
//   auto file = jfr::read::RecordingFile::open("app.jfr");
//   if (!file) return complain(file.error().what);
//   for (jfr::read::Chunk& chunk : file->chunks()) {
//     const jfr::read::Type* start = chunk.metadata().find("jdk.ThreadStart");
//     if (start == nullptr) continue;
//     jfr::read::BoundField thread(chunk, *start, "thread");
//     for (const jfr::read::Event& event : jfr::read::EventRange(chunk, *start)) puts(thread.text(event).value_or("").c_str());
//   }
//   if (const auto whole = file->whole(); !whole) return complain(whole.error().what);
//
// Nothing is decoded before it is asked for. What is damaged is noted in problems(), and what is good is handed out: whole() tells
// of it once the chunks were gone through.
// Chunks may be read on several threads, each chunk by one: see ChunkScanner and Chunk, which this puts together.
#pragma once

#include <string>
#include <utility>

#include "format/reader/bound_field.h"
#include "format/reader/chunk.h"
#include "format/reader/chunk_range.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/event_range.h"
#include "format/reader/field_value.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"
#include "format/reader/stack_frames.h"

namespace jfr::read {

class RecordingFile {
 public:
  // "-" is standard input. Fails when there is nothing to read: no such file, no right to, a directory.
  static base::Result<RecordingFile> open(const std::string& path);

  // `visit(Chunk&)`, in the order of the file. What points into the chunk is good until `visit` returns.
  template <typename Visit>
  void each_chunk(Visit visit) {
    ChunkScanner scanner(file_.bytes(), problems_);
    while (const auto extent = scanner.next()) {
      Chunk chunk(file_.bytes(), *extent, problems_);
      visit(chunk);
      file_.let_go(extent->offset, extent->size);
    }
  }

  // The same for a range-for. One at a time, and this file must outlive it.
  ChunkRange chunks() { return ChunkRange(file_, problems_); }

  // The first thing that was damaged in what was read so far, and how many others were: "... (and 3 others)".
  base::Status whole() const;

  std::span<const uint8_t> bytes() const { return file_.bytes(); }
  const Problems& problems() const { return problems_; }

 private:
  explicit RecordingFile(MappedFile file) : file_(std::move(file)) {}

  MappedFile file_;
  Problems problems_;
};

}  // namespace jfr::read
