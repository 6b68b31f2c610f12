// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/archive/chunk_codec.h"
#include "format/archive/coders.h"
#include "format/reader/chunk_header.h"
#include "format/reader/key_table.h"

namespace jfr::archive {
namespace {

using read::Cursor;

// A record of the chunk: [at, end), its body from `body`.
struct Record {
  uint64_t at = 0, type_at = 0, body = 0, end = 0;
  uint64_t type = 0;
  uint32_t width() const { return static_cast<uint32_t>(type_at - at); }
};

// The record at `at`; nothing where none ends inside the chunk.
std::optional<Record> record_at(std::span<const uint8_t> chunk, uint64_t at) {
  Cursor in(chunk, at);
  Record record;
  record.at = at;
  const uint64_t size = in.leb();
  record.type_at = in.at();
  record.type = in.leb();
  record.body = in.at();
  record.end = at + size;
  if (!in.ok() || size > chunk.size() - at || record.end < record.body) return std::nullopt;
  return record;
}

class Encoder {
 public:
  Encoder(std::span<const uint8_t> chunk, const read::ChunkHeader& header, NewCodings news)
      : chunk_(chunk), header_(header), news_(news) {
    clock_.go_by_ends(news.deep);
    own_.stacks.tell_depth(news.deep);
  }

  // names: of this chunk; null for none.
  bool run(CodedChunk& coded, KnownNames* names) {
    if (!open(coded)) return false;
    if (news_.deep) own_.checkpoint.orders = streams_.add_numbers();
    names_ = names;
    if (names_ != nullptr) {
      names_->write(own_.names, streams_);
      names_->prime(own_.stacks);
    }
    streams_.bytes(own_.head).put(chunk_.first(kHeadBytes));
    uint64_t at = kHeadBytes;
    for (std::optional<Record> record; (record = record_at(chunk_, at)); at = record->end) encode(*record, coded);
    put(own_.kinds, kRest);
    put(own_.raw_sizes, chunk_.size() - at);
    streams_.bytes(own_.raw).put(chunk_.subspan(at));
    coded.raw_bytes += chunk_.size() - at;
    return true;
  }

  // What has been taken apart. Once, and at last.
  Blocks blocks() {
    if (news_.deep) put(own_.metadata, follows());
    if (const auto columns = NameColumns::of(metadata_, *shapes_))
      code_method_keys(streams_, own_.method_keys, *columns, own_.stacks.methods(), names_, news_.deep);
    return streams_.to_blocks(news_);
  }

  // Instead of run(): of the names of this chunk, those that the lexicon has.
  std::optional<KnownNames> names_in(const LexiconSource& lexicons) {
    CodedChunk coded;
    if (!open(coded)) return std::nullopt;
    const auto columns = NameColumns::of(metadata_, *shapes_);
    const auto lexicon = columns ? lexicons() : nullptr;
    if (!lexicon) return std::nullopt;
    for (std::optional<Record> record = record_at(chunk_, kHeadBytes); record; record = record_at(chunk_, record->end))
      if (is_plain(*record)) encode_checkpoint(*record, nullptr);
    ChunkNames names;
    if (!names.read(*columns, streams_)) return std::nullopt;
    return KnownNames(lexicon, *columns, names);
  }

 private:
  uint64_t follows() {
    uint64_t all = kDepths | kEnds | kCounted;
    if (codes_addresses()) all |= kAddresses;
    // Who restores need not know hashes where no pool is in an order.
    std::vector<uint64_t>& orders = streams_.numbers(own_.checkpoint.orders).values;
    if (std::ranges::any_of(orders, [](uint64_t order) { return order != 0; }))
      all |= kOrders;
    else
      orders.clear();
    return all;
  }

  bool codes_addresses() {
    const auto columns = names_ == nullptr ? std::nullopt : AddressColumns::of(metadata_, *shapes_);
    return columns && names_->code_addresses(*columns, streams_);
  }

  void put(uint32_t stream, uint64_t value) { streams_.numbers(stream).put(value); }

  bool open(CodedChunk& coded) {
    if (!find_metadata(coded)) return false;
    shapes_.emplace(metadata_, streams_);
    return true;
  }

  // The metadata that the header points at is the one that types are taken from.
  bool find_metadata(CodedChunk& coded) {
    std::optional<Record> record;
    for (uint64_t at = kHeadBytes; (record = record_at(chunk_, at)); at = record->end) {
      if (record->type != kMetadataType || !is_metadata(*record)) continue;
      Cursor in = head_of(*record);
      for (int i = 0; i < 3; ++i) in.leb();
      if (record->at == header_.metadata) ordinal_ = coded.metadata.size();
      coded.metadata.push_back(chunk_.subspan(in.at(), record->end - in.at()));
    }
    if (!ordinal_) return false;
    auto parsed = metadata_of(coded.metadata[*ordinal_]);
    if (!parsed) return false;
    metadata_ = std::move(parsed.value());
    coded.types = *ordinal_;
    put(own_.metadata, *ordinal_);
    return true;
  }

  Cursor head_of(const Record& record) const { return Cursor(chunk_, record.body, record.end); }

  bool is_metadata(const Record& record) const {
    Checker head(head_of(record));
    for (int i = 0; i < 3; ++i) head.leb(0);
    return head.ok() && record.body - record.type_at == 1;
  }

  void encode(const Record& record, CodedChunk& coded) {
    if (is_plain(record) &&
        (encode_metadata(record) || encode_checkpoint(record, &own_.stacks) || encode_event(record)))
      return put_width(record);
    put(own_.kinds, kRaw);
    put(own_.raw_sizes, record.end - record.at);
    streams_.bytes(own_.raw).put(chunk_.subspan(record.at, record.end - record.at));
    coded.raw_bytes += record.end - record.at;
  }

  static bool is_plain(const Record& record) {
    return record.body - record.type_at == base::leb_size(record.type) && record.width() <= base::kLebMostBytes;
  }

  bool encode_metadata(const Record& record) {
    if (record.type != kMetadataType || !is_metadata(record)) return false;
    Taker taker(head_of(record), streams_, &own_.stacks, clock_, names_);
    put(own_.kinds, kMetadata);
    taker.time(own_.metadata_start);
    taker.leb(own_.metadata_duration);
    taker.leb(own_.metadata_id);
    return true;
  }

  // stacks: null where only names are wanted.
  bool encode_checkpoint(const Record& record, StackModel* stacks) {
    if (record.type != kCheckpointType) return false;
    Checker checker(head_of(record));
    code_checkpoint(checker, own_.checkpoint, *shapes_, metadata_, record.at, last_checkpoint_);
    if (!checker.done()) return false;
    put(own_.kinds, kCheckpoint);
    Taker taker(head_of(record), streams_, stacks, clock_, names_);
    code_checkpoint(taker, own_.checkpoint, *shapes_, metadata_, record.at, last_checkpoint_);
    last_checkpoint_ = record.at;
    return true;
  }

  // A type of event that was met; no shape: its events are kept as they are.
  struct EventType {
    const Shape* shape = nullptr;
    uint64_t kind = 0;  // 0: none of its events was taken apart so far
  };

  bool encode_event(const Record& record) {
    EventType& type = event_type(record.type);
    if (type.shape == nullptr || !take(record, *type.shape)) return false;
    if (type.kind == 0) {
      type.kind = kFirstEvent + kinds_++;
      put(own_.type_ids, record.type);
    }
    put(own_.kinds, type.kind);
    return true;
  }

  EventType& event_type(uint64_t id) {
    const auto found = types_.find_or_add(id);
    if (found.is_new) {
      const uint32_t type = metadata_.index_of(id);
      if (type != read::kNoType && shapes_->event(type).known) found.value.shape = &shapes_->event(type);
    }
    return found.value;
  }

  // False: it would not come back, and nothing was put.
  bool take(const Record& record, const Shape& shape) {
    if (!shape.copies.empty())
      return take_record(chunk_.subspan(record.body, record.end - record.body), shape.copies, streams_, clock_);
    Checker checker(head_of(record));
    code(checker, shape.steps);
    if (!checker.done()) return false;
    Taker taker(head_of(record), streams_, &own_.stacks, clock_, names_);
    code(taker, shape.steps);
    return true;
  }

  void put_width(const Record& record) {
    const uint64_t body = record.end - record.type_at;
    ++since_odd_;
    if (widths_.expected(body) == record.width()) return;
    put(own_.odd_gaps, since_odd_);
    put(own_.odd_widths, record.width());
    widths_.learn(body, record.width());
    since_odd_ = 0;
  }

  const std::span<const uint8_t> chunk_;
  const read::ChunkHeader& header_;
  const NewCodings news_;
  Streams streams_;
  ChunkStreams own_{streams_};
  read::Metadata metadata_;
  std::optional<size_t> ordinal_;
  std::optional<Shapes> shapes_;
  KnownNames* names_ = nullptr;
  read::KeyTable<EventType> types_;  // by type id
  uint64_t kinds_ = 0;               // of them that have one
  SizeWidths widths_;
  EventClock clock_;
  uint64_t since_odd_ = 0, last_checkpoint_ = 0;
};

bool comes_back(const CodedChunk& coded, std::span<const uint8_t> chunk, const LexiconSource& lexicons) {
  const auto back = decode_chunk(coded.blocks, coded.metadata, chunk.size(), lexicons);
  return back.ok() && std::ranges::equal(back.value(), chunk);
}

}  // namespace

std::span<const uint8_t> metadata_content(std::span<const uint8_t> chunk) {
  const auto header = read::parse_chunk_header(chunk, 0);
  if (!header || header->metadata >= chunk.size()) return {};
  const auto record = record_at(chunk, header->metadata);
  if (!record || record->type != kMetadataType) return {};
  Cursor in(chunk, record->body, record->end);
  for (int i = 0; i < 3; ++i) in.leb();
  return in.ok() ? chunk.subspan(in.at(), record->end - in.at()) : std::span<const uint8_t>();
}

std::optional<CodedChunk> encode_chunk(std::span<const uint8_t> chunk, const LexiconSource& lexicons, NewCodings news) {
  return encode_chunk_if_known(chunk, lexicons, news, 0);
}

std::optional<CodedChunk> encode_chunk_if_known(std::span<const uint8_t> chunk, const LexiconSource& lexicons,
                                                NewCodings news, double known_methods) {
  const auto header = read::parse_chunk_header(chunk, 0);
  if (chunk.size() < kHeadBytes || !header) return std::nullopt;
  auto names = lexicons ? Encoder(chunk, header.value(), news).names_in(lexicons) : std::nullopt;
  if (known_methods > 0 && (!names || names->known_methods() < known_methods)) return std::nullopt;
  if (names) {
    CodedChunk coded;
    Encoder encoder(chunk, header.value(), news);
    if (encoder.run(coded, &*names)) {
      coded.blocks = encoder.blocks();
      coded.known_methods = names->known_methods();
      if (comes_back(coded, chunk, lexicons)) return coded;
    }
  }
  CodedChunk coded;
  Encoder encoder(chunk, header.value(), news);
  if (!encoder.run(coded, nullptr)) return std::nullopt;
  coded.blocks = encoder.blocks();
  if (!comes_back(coded, chunk, {})) return std::nullopt;
  return coded;
}

}  // namespace jfr::archive
