// SPDX-License-Identifier: Apache-2.0
#include "format/archive/old_chunk_codec.h"

#include <algorithm>
#include "format/archive/old_record_code.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;
using old::Description;
using Model = OldChunkModel;

constexpr uint64_t kBelieved = 64u << 20;  // of a size that is claimed

// Writes a record out of columns.
class OldMaker {
 public:
  OldMaker(std::vector<uint8_t>& out, uint64_t most, Model& model)
      : out_(out), most_(most), streams_(model.streams), frames_(model.frames) {}

  uint64_t number(uint32_t stream, uint32_t width) { return put(streams_.next(stream), width); }
  uint64_t difference(uint32_t stream, uint32_t width, uint64_t before) {
    return put(before + unzigzag(streams_.next(stream)), width);
  }
  void text(const OldColumn& column) {
    const uint64_t length = number(column.numbers, column.width);
    const Bytes text = length > most_ ? Bytes() : streams_.next_bytes(column.bytes, length * column.unit);
    if (length > most_) streams_.fail();
    out_.insert(out_.end(), text.begin(), text.end());
  }
  void stack(const OldColumn& column) {
    const uint64_t count = number(column.numbers, column.width);
    if (count == 0) return;
    std::vector<StackFrame> frames;
    if (!frames_.take(count, frames)) streams_.fail();
    for (StackFrame& frame : frames) {
      if (column.inner.size() < frame.size()) std::swap(frame[2], frame[3]);
      for (size_t i = 0; i < column.inner.size(); ++i) put(frame[i], column.inner[i].width);
    }
  }
  bool more(uint32_t stream) { return streams_.next(stream) != 0; }
  uint32_t pool(uint32_t stream, const Description& description) {
    const uint64_t index = streams_.next(stream);
    if (index >= description.pools.size()) return old::kNone;
    put(description.pools[index].id, 4);
    return static_cast<uint32_t>(index);
  }
  bool ok() const { return streams_.ok() && out_.size() <= most_; }

  uint64_t put(uint64_t value, uint32_t width) {
    for (uint32_t shift = 8 * width; shift > 0;) out_.push_back(static_cast<uint8_t>(value >> (shift -= 8)));
    return value;
  }

 private:
  std::vector<uint8_t>& out_;
  const uint64_t most_;
  Streams& streams_;
  OldFrames& frames_;
};

class OldDecoder {
 public:
  OldDecoder(std::span<const Bytes> metadata, uint64_t size) : metadata_(metadata), size_(size) {
    out_.reserve(std::min(size, kBelieved));
  }

  std::optional<std::vector<uint8_t>> run(const Blocks& blocks) {
    if (!model_.streams.from_blocks(blocks, value_limit(size_))) return std::nullopt;
    while (ok() && next(model_.more) != 0)
      if (!chunk()) return std::nullopt;
    append(model_.raw, next(model_.raw_sizes));
    if (!ok() || out_.size() != size_) return std::nullopt;
    return std::move(out_);
  }

 private:
  uint64_t next(uint32_t stream) { return model_.streams.next(stream); }
  bool ok() const { return model_.streams.ok() && out_.size() <= size_; }
  void append(uint32_t stream, uint64_t count) { append(model_.streams.next_bytes(stream, count)); }
  void append(Bytes bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

  bool chunk() {
    begin_ = out_.size();
    append(model_.heads, Model::kHeadBytes);
    if (metadata_.empty()) return false;
    const Bytes bytes = metadata_.front();
    metadata_ = metadata_.subspan(1);
    auto description = Description::parse(bytes, 0);
    if (!description) return false;
    model_.describe(std::move(*description));
    for (uint64_t kind = next(model_.kinds); ok() && kind != Model::kMetadata; kind = next(model_.kinds))
      if (!record(kind)) return false;
    append(bytes);
    return ok();
  }

  bool record(uint64_t kind) {
    if (kind == Model::kRaw) return append(model_.raw, next(model_.raw_sizes)), ok();
    const uint64_t at = out_.size();
    OldMaker maker(out_, size_, model_);
    maker.put(0, 4);  // its size, which follows
    const bool made = kind == Model::kCheckpoint ? checkpoint(maker, at) : event(maker, kind - Model::kFirstEvent);
    const uint64_t size = out_.size() - at;
    for (int i = 0; i < 4; ++i) out_[at + i] = static_cast<uint8_t>(size >> (24 - 8 * i));
    return made && ok();
  }

  bool event(OldMaker& maker, uint64_t index) {
    const Description& description = model_.description();
    if (index >= description.events.size()) return false;
    const old::EventType& type = description.events[index];
    const OldEventColumns* const columns = model_.event(static_cast<uint32_t>(index));
    if (columns == nullptr) return false;
    maker.put(type.id, 4);
    code_event(maker, *columns, type, model_);
    return true;
  }

  bool checkpoint(OldMaker& maker, uint64_t at) {
    maker.put(old::kCheckpointType, 4);
    const bool made = code_checkpoint(maker, model_);
    model_.last_checkpoint = at - begin_;
    return made;
  }

  std::span<const Bytes> metadata_;  // of the chunks to come
  const uint64_t size_;
  Model model_;
  std::vector<uint8_t> out_;
  uint64_t begin_ = 0;  // of the chunk
};

}  // namespace

std::optional<OldSpan> old_span(Bytes metadata) {
  constexpr int64_t kMillis = 1'000'000;
  const auto description = Description::parse(metadata, 0);
  OldSpan span;
  if (!description || __builtin_mul_overflow(description->start_ms, kMillis, &span.start_ns) ||
      __builtin_mul_overflow(description->end_ms, kMillis, &span.end_ns))
    return std::nullopt;
  return span;
}

std::optional<std::vector<uint8_t>> decode_old_chunks(const Blocks& blocks, std::span<const Bytes> metadata,
                                                      uint64_t size) {
  return OldDecoder(metadata, size).run(blocks);
}

}  // namespace jfr::archive
