// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/print_formats.h"

#include <optional>

#include "jrec/print/json_events.h"
#include "jrec/print/text_events.h"
#include "jrec/print/xml_events.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Clock;
using jfr::read::Event;
using jfr::read::Type;

template <typename Events>
class ChunkOf : public ChunkPrinter {
 public:
  template <typename... More>
  ChunkOf(Chunk& chunk, const Clock& clock, uint32_t depth, More... more) : events_(chunk, clock, depth, more...) {}
  bool append(const Event& event, const Type& type, std::string& out) override {
    return events_.append(event, type, out);
  }

 private:
  Events events_;
};

template <typename Events>
class WriterOf : public EventWriter {
 public:
  explicit WriterOf(uint32_t depth) : depth_(depth) {}
  std::unique_ptr<ChunkPrinter> chunk(Chunk& chunk, const Clock& clock) override {
    return std::make_unique<ChunkOf<Events>>(chunk, clock, depth_);
  }

 private:
  uint32_t depth_;
};

// Times of day stand there without an offset: all are of the first chunk's zone, as those of views and of --from are.
class TextDocument : public EventWriter {
 public:
  explicit TextDocument(uint32_t depth) : depth_(depth) {}
  std::unique_ptr<ChunkPrinter> chunk(Chunk& chunk, const Clock& clock) override {
    if (!utc_offset_s_) utc_offset_s_ = checked_utc_offset_s(chunk.metadata().utc_offset_ms());
    return std::make_unique<ChunkOf<TextEvents>>(chunk, clock, depth_, *utc_offset_s_);
  }

 private:
  uint32_t depth_;
  std::optional<int32_t> utc_offset_s_;
};

class JsonLines : public ChunkPrinter {
 public:
  JsonLines(Chunk& chunk, const Clock& clock, uint32_t depth) : events_(chunk, clock, depth) {}
  bool append(const Event& event, const Type& type, std::string& out) override {
    if (!events_.append(event, type, out)) return false;
    out += '\n';
    return true;
  }

 private:
  JsonEvents events_;
};

class JsonDocument : public WriterOf<JsonEvents> {
 public:
  using WriterOf::WriterOf;
  void begin(std::string& out) override { out += "{\"recording\":{\"events\":["; }
  void before_event(bool first, std::string& out) override { out += first ? "\n" : ",\n"; }
  void end(std::string& out) override { out += "\n]}}\n"; }
};

class JsonLinesDocument : public EventWriter {
 public:
  explicit JsonLinesDocument(uint32_t depth) : depth_(depth) {}
  std::unique_ptr<ChunkPrinter> chunk(Chunk& chunk, const Clock& clock) override {
    return std::make_unique<JsonLines>(chunk, clock, depth_);
  }

 private:
  uint32_t depth_;
};

class XmlDocument : public WriterOf<XmlEvents> {
 public:
  using WriterOf::WriterOf;
  void begin(std::string& out) override {
    out +=
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<recording xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        "  <events>\n";
  }
  void end(std::string& out) override { out += "  </events>\n</recording>\n"; }
};

}  // namespace

std::unique_ptr<EventWriter> text_writer(uint32_t depth) { return std::make_unique<TextDocument>(depth); }
std::unique_ptr<EventWriter> json_writer(uint32_t depth) { return std::make_unique<JsonDocument>(depth); }
std::unique_ptr<EventWriter> json_lines_writer(uint32_t depth) { return std::make_unique<JsonLinesDocument>(depth); }
std::unique_ptr<EventWriter> xml_writer(uint32_t depth) { return std::make_unique<XmlDocument>(depth); }

}  // namespace jrec
