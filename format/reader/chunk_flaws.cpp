// SPDX-License-Identifier: Apache-2.0
#include "format/reader/chunk_flaws.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>
#include <vector>

#include "format/header_layout.h"
#include "format/reader/checkpoint_walk.h"
#include "format/reader/cover_type.h"
#include "format/reader/values.h"

namespace jfr::read {
namespace {

std::string hexadecimal(uint64_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, 16).ptr;
  return "0x" + std::string(digits, end);
}

class FlawSearch {
 public:
  FlawSearch(Chunk& chunk, const TakeFlaw& take)
      : chunk_(chunk), metadata_(chunk.metadata()), take_(take), cover_type_(cover_type(chunk.metadata())) {}

  void run() {
    if (nothing_flushed()) return;
    header();
    if (metadata_.types().empty()) return without_types();
    types();
    events();
    chain();
    for (const uint64_t at : checkpoints_) contents(at);
  }

 private:
  // The program has just begun the chunk, or died before it wrote anything: no damage.
  bool nothing_flushed() const {
    return chunk_.header().state != kStateFinished && chunk_.bytes().size() <= kHeaderSize;
  }

  void tell(Flaw::Kind kind, uint64_t at, std::string what) {
    goes_on_ = goes_on_ && take_(Flaw{kind, at, std::move(what)});
  }

  void header() {
    const ChunkHeader& header = chunk_.header();
    place(header.metadata, kMetadataOffset, "metadata");
    place(header.checkpoint, kCheckpointOffset, "checkpoint");
    if (header.duration_ns < 0)
      tell(Flaw::Kind::kTime, kDurationOffset, "chunk lasts " + std::to_string(header.duration_ns) + " ns");
  }

  void place(uint64_t place, uint64_t at, const char* name) {
    if (place < kHeaderSize || place >= chunk_.bytes().size())
      tell(Flaw::Kind::kHeader, at,
           std::string("header places the ") + name + " at " + hexadecimal(place) + " of the chunk");
  }

  // Where the metadata cannot be read, that was noted when somebody tried.
  void without_types() {
    if (chunk_.problems().empty()) of_metadata("no type is declared");
  }

  void types() {
    std::set<uint64_t> ids;
    for (const Type& type : metadata_.types()) {
      if (!ids.insert(type.id).second) of_metadata("type " + std::string(type.name) + " has no id of its own");
      fields(type);
    }
    if (metadata_.string_type() == kNoType) of_metadata("java.lang.String is not declared");
  }

  void fields(const Type& type) {
    for (const Field& field : type.fields)
      if (field.type == kNoType)
        of_metadata("field " + std::string(field.name) + " of " + std::string(type.name) +
                    " is of a type that is not declared");
    if (!type.decodable()) of_metadata("values of " + std::string(type.name) + " cannot be decoded");
  }

  void of_metadata(std::string what) { tell(Flaw::Kind::kMetadata, chunk_.header().metadata, std::move(what)); }

  void events() {
    EventWalk walk = chunk_.events();
    for (Event event; goes_on_ && walk.next(event);) {
      if (event.type_id == kCheckpointType) checkpoints_.push_back(event.at);
      if (event.type_id > kCheckpointType) fields_of(event);
    }
  }

  void fields_of(const Event& event) {
    const Type* type = chunk_.type_of(event);
    if (type == nullptr && event.type_id == cover_type_) return;  // repaired before
    if (type == nullptr)
      return tell(Flaw::Kind::kEvent, event.at,
                  "event is of type " + std::to_string(event.type_id) + ", which is not declared");
    if (!value_fits(chunk_.body(event), metadata_, *type))
      tell(Flaw::Kind::kEvent, event.at,
           "fields of " + std::string(type->name) + " do not fit into its " + std::to_string(event.size) + " bytes");
  }

  // Goes the way of the JDK's reader: from the newest checkpoint back, by the deltas.
  void chain() {
    std::vector<uint64_t> chain;
    uint64_t at = chunk_.header().checkpoint, limit = chunk_.bytes().size();
    while (at >= kHeaderSize && at < limit) {
      const CheckpointWalk walk(chunk_.bytes(), metadata_, at);
      if (!walk.why().empty()) break;
      chain.push_back(at);
      limit = at;
      at = walk.delta() == 0 ? 0 : static_cast<uint64_t>(static_cast<int64_t>(at) + walk.delta());
    }
    if (at != 0)  // and with it all that it would lead to
      return tell(Flaw::Kind::kCheckpoint, chain.empty() ? uint64_t{kCheckpointOffset} : chain.back(),
                  "the chain of checkpoints leads to " + hexadecimal(at) + " of the chunk, where none is");
    std::reverse(chain.begin(), chain.end());
    for (const uint64_t found : checkpoints_)
      if (!std::binary_search(chain.begin(), chain.end(), found))
        tell(Flaw::Kind::kCheckpoint, found, "no chain leads to this checkpoint");
  }

  void contents(uint64_t at) {
    if (!goes_on_ || chunk_.has_read_whole(at)) return;
    CheckpointWalk walk(chunk_.bytes(), metadata_, at);
    while (walk.next_pool()) {
    }
    if (!walk.why().empty()) tell(Flaw::Kind::kCheckpoint, walk.why_at(), walk.why());
  }

  Chunk& chunk_;
  const Metadata& metadata_;
  const TakeFlaw& take_;
  const uint64_t cover_type_;
  bool goes_on_ = true;
  std::vector<uint64_t> checkpoints_;  // of the walk, ascending
};

}  // namespace

void find_flaws(Chunk& chunk, const TakeFlaw& take) { FlawSearch(chunk, take).run(); }

void note_flaws(Chunk& chunk) {
  size_t left = Problems::kMaxKept;
  find_flaws(chunk, [&](const Flaw& flaw) {
    chunk.problems().add(base::corrupt(chunk.offset_in_file() + flaw.at, flaw.what));
    return --left > 0;
  });
}

}  // namespace jfr::read
