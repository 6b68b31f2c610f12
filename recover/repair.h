// SPDX-License-Identifier: Apache-2.0
// What can be saved of one chunk that some writer left open, cut or damaged.
//
//   file:     header | good events | damage | good events | checkpoint | good events | half an event
//   repaired: header'| good events | skip   | good events | checkpoint | good events |
//
// A whole chunk is kept byte for byte. Of another the events are walked by their sizes and decoded; what is no event is
// covered by one of a type that no reader knows, up to the next place where an event is known to start, or is cut off.
// header' has the size, the newest metadata and checkpoint that are good, and the state "finished". Checkpoints that
// cannot be decoded are covered as well, and the chain leads past them. Without metadata or any checkpoint nothing
// could be read: then the chunk is dropped.
//
// The bytes are hostile. Every step makes progress; memory is of the order of the chunk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/reader/chunk_scanner.h"
#include "recover/header_patch.h"
#include "recover/recovered_file.h"

namespace rec {

struct Repair {
  enum class Verdict { kWhole, kRepaired, kDropped };
  // Bytes that replace what stands at an offset of the chunk.
  struct Patch {
    uint64_t at;
    std::vector<uint8_t> bytes;
  };

  Verdict verdict = Verdict::kWhole;
  uint64_t offset = 0;  // of the chunk in the file
  uint64_t size = 0;    // bytes of it that are kept, header included
  uint64_t samples = 0;
  HeaderBytes header{};  // of a repaired chunk
  std::vector<Patch> patches;
  std::vector<base::Error> losses;  // what could not be saved, or is wrong; offsets in the file
  size_t more_losses = 0;           // that are not listed
};

Repair examine(std::span<const uint8_t> file, const jfr::read::ChunkExtent& extent);

// Appends what is kept of it.
base::Status add_repaired(RecoveredFile& to, std::span<const uint8_t> file, const Repair& repair);

}  // namespace rec
