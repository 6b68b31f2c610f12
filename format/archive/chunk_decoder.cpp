// SPDX-License-Identifier: Apache-2.0
#include "format/archive/chunk_codec.h"
#include "format/archive/coders.h"

namespace jfr::archive {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

class Decoder {
 public:
  Decoder(std::span<const std::span<const uint8_t>> metadata, uint64_t size, const LexiconSource& lexicons)
      : contents_(metadata), size_(size), lexicons_(lexicons) {}

  bool run(const Blocks& blocks, std::vector<uint8_t>& out) {
    if (!streams_.from_blocks(blocks, value_limit(size_))) return false;
    const uint64_t ordinal = streams_.next(own_.metadata);
    if (ordinal >= contents_.size()) return false;
    auto parsed = metadata_of(contents_[ordinal]);
    if (!parsed) return false;
    metadata_ = std::move(parsed.value());
    shapes_.emplace(metadata_, streams_);
    if (!read_names()) return false;
    out.reserve(size_);
    append(streams_.next_bytes(own_.head, kHeadBytes), out);
    next_odd();
    while (streams_.ok() && out.size() <= size_) {
      const uint64_t kind = streams_.next(own_.kinds);
      if (kind == kRest || kind == kRaw) append(streams_.next_bytes(own_.raw, streams_.next(own_.raw_sizes)), out);
      if (kind == kRest) break;
      if (kind != kRaw && !decode(kind, out)) return false;
    }
    return streams_.ok() && out.size() == size_;
  }

 private:
  bool read_names() {
    const bool named = has_more(own_.names.used);
    const auto columns = NameColumns::of(metadata_, *shapes_);
    if (!columns) return !named;
    if (named) {
      const auto lexicon = lexicons_ ? lexicons_() : nullptr;
      if (lexicon) names_ = KnownNames::read(lexicon, *columns, own_.names, streams_);
      if (!names_) return false;
    }
    KnownNames* const names = names_ ? &*names_ : nullptr;
    if (!restore_method_keys(streams_, own_.method_keys, *columns, own_.stacks.methods(), names)) return false;
    if (names != nullptr) names->prime(own_.stacks);
    return true;
  }

  static void append(std::span<const uint8_t> bytes, std::vector<uint8_t>& out) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  }

  // A record that was taken apart: its body first, as its size follows from that.
  bool decode(uint64_t kind, std::vector<uint8_t>& out) {
    body_.clear();
    const uint64_t at = out.size();
    Maker maker(body_, size_, streams_, own_.stacks, last_time_, names_ ? &*names_ : nullptr);
    if (kind == kMetadata)
      decode_metadata(maker);
    else if (kind == kCheckpoint)
      decode_checkpoint(maker, at);
    else
      decode_event(maker, kind - kFirstEvent);
    if (!maker.ok()) return false;
    const uint64_t width = take_width();
    const uint64_t size = body_.size() + width;
    if (width == 0 || width > 9 || base::leb_size(size) > width) return false;
    base::append_padded_leb(size, width, out);
    append(body_, out);
    return true;
  }

  void decode_metadata(Maker& maker) {
    body_.push_back(kMetadataType);
    maker.time(own_.metadata_start);
    maker.leb(own_.metadata_duration);
    maker.leb(own_.metadata_id);
    if (next_content_ >= contents_.size()) return maker.fail();
    append(contents_[next_content_++], body_);
  }

  void decode_checkpoint(Maker& maker, uint64_t at) {
    body_.push_back(kCheckpointType);
    code_checkpoint(maker, own_.checkpoint, *shapes_, metadata_, at, last_checkpoint_);
    last_checkpoint_ = at;
  }

  void decode_event(Maker& maker, uint64_t kind) {
    if (kind == types_.size()) types_.push_back(streams_.next(own_.type_ids));
    if (kind >= types_.size()) return maker.fail();
    const uint32_t type = metadata_.index_of(types_[kind]);
    if (type == read::kNoType || !shapes_->event(type).known) return maker.fail();
    base::append_leb(types_[kind], body_);
    code(maker, shapes_->event(type).steps);
  }

  void next_odd() { to_odd_ = has_more(own_.odd_gaps) ? streams_.next(own_.odd_gaps) : UINT64_MAX; }
  bool has_more(uint32_t stream) { return streams_.numbers(stream).in.left() > 0; }

  uint64_t take_width() {
    const uint64_t body = body_.size();
    if (--to_odd_ != 0) return widths_.expected(body);
    const auto width = static_cast<uint32_t>(streams_.next(own_.odd_widths));
    widths_.learn(body, width);
    next_odd();
    return width;
  }

  const std::span<const std::span<const uint8_t>> contents_;
  const uint64_t size_;
  const LexiconSource& lexicons_;
  Streams streams_;
  ChunkStreams own_{streams_};
  read::Metadata metadata_;
  std::optional<Shapes> shapes_;
  std::optional<KnownNames> names_;
  std::vector<uint64_t> types_;
  std::vector<uint8_t> body_;
  SizeWidths widths_;
  size_t next_content_ = 0;
  uint64_t to_odd_ = UINT64_MAX, last_time_ = 0, last_checkpoint_ = 0;
};

}  // namespace

Result<std::vector<uint8_t>> decode_chunk(const Blocks& blocks, std::span<const std::span<const uint8_t>> metadata,
                                          uint64_t size, const LexiconSource& lexicons) {
  std::vector<uint8_t> out;
  if (Decoder(metadata, size, lexicons).run(blocks, out)) return out;
  return Error{ErrorCode::kCorrupt, 0, "these are not the columns of a chunk"};
}

}  // namespace jfr::archive
