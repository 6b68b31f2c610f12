// SPDX-License-Identifier: Apache-2.0
// EventWriter is a format of `jrec print`: what stands in front of all events, between them, behind them, and how one
// looks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "format/reader/chunk.h"

namespace jrec {

// Prints the events of one chunk.
class ChunkPrinter {
 public:
  virtual ~ChunkPrinter() = default;
  // Appends the event. False, and nothing appended, when its bytes cannot be decoded.
  virtual bool append(const jfr::read::Event& event, const jfr::read::Type& type, std::string& out) = 0;
};

class EventWriter {
 public:
  virtual ~EventWriter() = default;
  virtual std::unique_ptr<ChunkPrinter> chunk(jfr::read::Chunk& chunk, const jfr::read::Clock& clock) = 0;
  virtual void begin(std::string&) {}
  virtual void before_event(bool /*first*/, std::string&) {}
  virtual void end(std::string&) {}
};

}  // namespace jrec
