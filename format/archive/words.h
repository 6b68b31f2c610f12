// SPDX-License-Identifier: Apache-2.0
// Words are names that most recordings have. Whoever packs a chunk that stands by itself, or metadata, lets zstd refer
// to them, so that even the first and smallest recording of an archive need not bring them along.
//
//   words/types.txt   of types, fields and annotations, as metadata has them
//   words/java.txt    of the Java library's classes and methods, of HotSpot's options and lists, and of settings
//
// These files are what archives were packed with: they never change. Other words would have another coding.
#pragma once

#include <cstdint>
#include <span>

#include "format/archive/base_reader.h"
#include "format/archive/piece.h"

namespace jfr::archive {

// The words of a file, one behind the other with nothing between.
extern const std::span<const uint8_t> kTypeWords, kJavaWords;

// As the base of whoever has no other one; made ready once.
const ReadyBase& chunk_words();
const ReadyBase& metadata_words();

// What the blocks of such a piece without bases were packed with; null: nothing.
const Blocks* words_of(const PieceHead& head);

}  // namespace jfr::archive
