// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <optional>

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
      : contents_(metadata), size_(size), lexicons_(lexicons), out_(size) {}

  // Nothing for blocks that are not those of such a chunk.
  std::optional<std::vector<uint8_t>> run(const Blocks& blocks) {
    if (!open(blocks)) return std::nullopt;
    out_.append(streams_.next_bytes(own_.head, kHeadBytes));
    next_odd();
    while (streams_.ok() && out_.size() <= size_) {
      const uint64_t kind = streams_.next(own_.kinds);
      if (kind == kRest || kind == kRaw) out_.append(streams_.next_bytes(own_.raw, streams_.next(own_.raw_sizes)));
      if (kind == kRest) break;
      if (kind != kRaw && !decode(kind)) return std::nullopt;
    }
    if (!streams_.ok() || out_.size() != size_) return std::nullopt;
    return out_.take();
  }

  // Nothing: there are stacks that no record has asked for.
  std::optional<LearnedStacks> take_learned() {
    if (own_.stacks.left() != 0) return std::nullopt;
    return own_.stacks.take_learned();
  }

 private:
  // A type of event that was met.
  struct EventType {
    uint64_t id = 0;
    const Shape* shape = nullptr;
    size_t width = 4;  // of the last one's size
  };

  bool open(const Blocks& blocks) {
    if (!streams_.from_blocks(blocks, value_limit(size_))) return false;
    const uint64_t ordinal = streams_.next(own_.metadata);
    follows_ = has_more(own_.metadata) ? streams_.next(own_.metadata) : 0;
    if (ordinal >= contents_.size() || follows_ > kAllFollows) return false;
    clock_.go_by_ends((follows_ & kEnds) != 0);
    own_.stacks.tell_depth((follows_ & kDepths) != 0);
    own_.stacks.make_room();
    auto parsed = metadata_of(contents_[ordinal]);
    if (!parsed) return false;
    metadata_ = std::move(parsed.value());
    shapes_.emplace(metadata_, streams_);
    if ((follows_ & kOrders) != 0) {
      own_.checkpoint.orders = streams_.add_numbers();
      own_.stacks.want_hashes();
    }
    return read_names();
  }

  bool read_names() {
    const bool named = has_more(own_.names.used);
    const auto columns = NameColumns::of(metadata_, *shapes_);
    if (!columns) return !named && (follows_ & kAddresses) == 0;
    if (named) {
      const auto lexicon = lexicons_ ? lexicons_() : nullptr;
      if (lexicon) names_ = KnownNames::read(lexicon, *columns, own_.names, streams_);
      if (!names_) return false;
    }
    KnownNames* const names = names_ ? &*names_ : nullptr;
    const bool counted = (follows_ & kCounted) != 0;
    if (!restore_method_keys(streams_, own_.method_keys, *columns, own_.stacks.methods(), names, counted)) return false;
    if ((follows_ & kAddresses) != 0 && !restore_addresses()) return false;
    if (names != nullptr) names->prime(own_.stacks);
    return true;
  }

  bool restore_addresses() {
    const auto columns = AddressColumns::of(metadata_, *shapes_);
    return names_ && columns && names_->restore_addresses(*columns, streams_);
  }

  Maker new_maker() { return Maker(out_, streams_, own_.stacks, clock_, names_ ? &*names_ : nullptr); }

  // A record that was taken apart.
  bool decode(uint64_t kind) {
    if (kind == kMetadata) return decode_metadata();
    if (kind == kCheckpoint) return decode_checkpoint();
    if (kind - kFirstEvent == types_.size() && !add_type()) return false;
    if (kind - kFirstEvent >= types_.size()) return false;
    EventType& type = types_[kind - kFirstEvent];
    return type.shape->copies.empty() ? decode_steps(type) : decode_copies(type);
  }

  bool add_type() {
    const uint64_t id = streams_.next(own_.type_ids);
    const uint32_t type = metadata_.index_of(id);
    if (type == read::kNoType || !shapes_->event(type).known) return false;
    types_.push_back({id, &shapes_->event(type)});
    return true;
  }

  bool decode_copies(EventType& type) {
    const auto& copies = type.shape->copies;
    const uint64_t at = out_.size();
    uint8_t* to = out_.room(3 * base::kLebMostBytes + longest_record(copies)) + type.width;
    to = make_record(copies, streams_, clock_, base::put_leb(type.id, to));
    out_.set_end(to);
    return close(at, type.width);
  }

  bool decode_steps(EventType& type) {
    const uint64_t at = begin(type.width, type.id);
    Maker maker = new_maker();
    code(maker, type.shape->steps);
    return maker.ok() && close(at, type.width);
  }

  bool decode_metadata() {
    const uint64_t at = begin(long_width_, kMetadataType);
    Maker maker = new_maker();
    maker.time(own_.metadata_start);
    maker.leb(own_.metadata_duration);
    maker.leb(own_.metadata_id);
    if (next_content_ >= contents_.size()) return false;
    out_.append(contents_[next_content_++]);
    return maker.ok() && close(at, long_width_);
  }

  bool decode_checkpoint() {
    const uint64_t at = begin(long_width_, kCheckpointType);
    Maker maker = new_maker();
    code_checkpoint(maker, own_.checkpoint, *shapes_, metadata_, at, last_checkpoint_);
    last_checkpoint_ = at;
    return maker.ok() && close(at, long_width_);
  }

  // A record whose size is not known yet, with as much room for it as it will most likely take. Where it begins.
  uint64_t begin(size_t width, uint64_t type) {
    const uint64_t at = out_.size();
    uint8_t* const to = out_.room(2 * base::kLebMostBytes);
    out_.set_end(base::put_leb(type, to + width));
    return at;
  }

  // Its body is there: its size follows from that. width: the room that was left for it, then what it took.
  bool close(uint64_t at, size_t& width) {
    const uint64_t body = out_.size() - at - width, takes = take_width(body), size = body + takes;
    if (!streams_.ok() || takes == 0 || takes > base::kLebMostBytes || base::leb_size(size) > takes) return false;
    if (takes != width) {
      uint8_t* const end = out_.room(base::kLebMostBytes);
      uint8_t* const from = out_.from(at + width);
      std::memmove(out_.from(at + takes), from, body);
      out_.set_end(end - width + takes);
      width = takes;
    }
    base::put_padded_leb(size, takes, out_.from(at));
    return true;
  }

  void next_odd() { to_odd_ = has_more(own_.odd_gaps) ? streams_.next(own_.odd_gaps) : UINT64_MAX; }
  bool has_more(uint32_t stream) { return streams_.numbers(stream).in.left() > 0; }

  uint64_t take_width(uint64_t body) {
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
  std::vector<EventType> types_;
  ChunkBytes out_;
  SizeWidths widths_;
  size_t next_content_ = 0, long_width_ = 4;
  EventClock clock_;
  uint64_t to_odd_ = UINT64_MAX, last_checkpoint_ = 0;
  uint64_t follows_ = 0;  // Follows
};

}  // namespace

Result<std::vector<uint8_t>> decode_chunk(const Blocks& blocks, std::span<const std::span<const uint8_t>> metadata,
                                          uint64_t size, const LexiconSource& lexicons,
                                          std::optional<LearnedStacks>* learned) {
  Decoder decoder(metadata, size, lexicons);
  if (auto chunk = decoder.run(blocks)) {
    if (learned != nullptr) *learned = decoder.take_learned();
    return std::move(*chunk);
  }
  return Error{ErrorCode::kCorrupt, 0, "these are not the columns of a chunk"};
}

}  // namespace jfr::archive
