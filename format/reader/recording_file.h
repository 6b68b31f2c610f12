// SPDX-License-Identifier: Apache-2.0
// RecordingFile is the front door of this library: a recording, chunk by chunk.
//
//   auto file = jfr::read::RecordingFile::open("app.jfr");
//   if (!file) return complain(file.error().what);
//   file->each_chunk([](jfr::read::Chunk& chunk) {
//     jfr::read::FieldReader fields(chunk);
//     auto events = chunk.events();
//     for (jfr::read::Event event; events.next(event);) {
//       const jfr::read::Type* type = chunk.type_of(event);
//       if (type != nullptr && type->name == "jdk.ThreadStart")
//         puts(fields.text(fields.member(fields.of(event, *type, "thread"), "javaName")).c_str());
//     }
//   });
//   for (const base::Error& problem : file->problems().kept()) complain(problem.what);
//
// Nothing is decoded before it is asked for. What is damaged is noted in problems(), and what is good is handed out.
// Chunks may be read on several threads, each chunk by one: see ChunkScanner and Chunk, which this puts together.
#pragma once

#include <string>
#include <utility>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/field_value.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"

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

  std::span<const uint8_t> bytes() const { return file_.bytes(); }
  const Problems& problems() const { return problems_; }

 private:
  explicit RecordingFile(MappedFile file) : file_(std::move(file)) {}

  MappedFile file_;
  Problems problems_;
};

}  // namespace jfr::read
