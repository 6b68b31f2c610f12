// SPDX-License-Identifier: Apache-2.0
#include "format/reader/chunk.h"

#include <algorithm>

#include "format/reader/lone_checkpoints.h"
#include "format/reader/values.h"
#include "format/reader/wire_string.h"

namespace jfr::read {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr int kMaxTextDepth = 4;  // Symbol -> String -> pooled String is 3

}  // namespace

Chunk::Chunk(std::span<const uint8_t> file, const ChunkExtent& extent, Problems& problems, uint64_t begins_at)
    : extent_(extent),
      bytes_(file.subspan(extent.offset - begins_at, extent.size)),
      problems_(problems),
      clock_(extent.header) {
  load_metadata();
}

void Chunk::load_metadata() {
  find_metadata();
  metadata_.take_later_names();
}

void Chunk::find_metadata() {
  if (header().metadata >= kHeaderSize && header().metadata < bytes_.size()) {
    Result<Metadata> parsed = Metadata::parse(bytes_, header().metadata);
    if (parsed) {
      metadata_ = std::move(*parsed);
      return;
    }
    Error error = parsed.error();
    error.offset += offset_in_file();
    problems_.add(std::move(error));
  }
  std::vector<uint64_t> places = walk_for(kMetadataType);
  std::reverse(places.begin(), places.end());
  for (const uint64_t at : places) {
    Result<Metadata> parsed = Metadata::parse(bytes_, at);
    if (!parsed) continue;
    metadata_ = std::move(*parsed);
    return;
  }
  if (bytes_.size() > kHeaderSize)
    problems_.add(
        Error{ErrorCode::kCorrupt, offset_in_file(), "chunk has no readable metadata, its events cannot be named"});
}

EventWalk Chunk::walk(Problems* problems) {
  EventWalk::Damage damage{offset_in_file(), problems, !extent_.whole, [this] {
                             std::vector<uint64_t> anchors = checkpoint_chain(false);
                             anchors.push_back(header().metadata);
                             std::sort(anchors.begin(), anchors.end());
                             return anchors;
                           }};
  return EventWalk(bytes_, kHeaderSize, std::move(damage));
}

Cursor Chunk::field(const Event& event, const Type& type, int index) const {
  Cursor in = body(event);
  for (int i = 0; i < index; ++i) skip_field(in, metadata_, type.fields[static_cast<size_t>(i)]);
  return in;
}

ConstantPools& Chunk::constants() {
  if (constants_) return *constants_;
  constants_.emplace(bytes_, metadata_);
  for (const uint64_t at : checkpoint_chain(true)) constants_->add_checkpoint(at, offset_in_file(), problems_);
  return *constants_;
}

// Offsets of the checkpoints, newest first. Each link must lead back, in front of the checkpoint it comes from, so that
// the chain ends and no byte is read twice. Where it breaks, those that a walk over the events finds are added.
std::vector<uint64_t> Chunk::checkpoint_chain(bool note) {
  std::vector<uint64_t> chain;
  uint64_t at = header().checkpoint, limit = bytes_.size();
  bool broken = at >= bytes_.size() || at < kHeaderSize;
  while (!broken) {
    Cursor in(bytes_, at);
    const uint64_t size = in.leb();
    const uint64_t type = in.leb();
    in.skip_lebs(2);
    const auto delta = static_cast<int64_t>(in.leb());
    broken = !in.ok() || size == 0 || size > limit - at || type != kCheckpointType;
    if (broken) break;
    chain.push_back(at);
    limit = at;
    if (delta == 0) return chain;
    const uint64_t back = uint64_t{0} - static_cast<uint64_t>(delta);
    broken = delta > 0 || back > at - kHeaderSize;
    at -= broken ? 0 : back;
  }
  if (note && extent_.whole && at != 0)
    problems_.add(Error{ErrorCode::kCorrupt, offset_in_file() + at, "chain of checkpoints is broken"});
  add_unchained(chain);
  std::sort(chain.begin(), chain.end(), std::greater<>());
  chain.erase(std::unique(chain.begin(), chain.end()), chain.end());
  return chain;
}

// Those that a walk meets, and those that it may have missed from where it met an event of no declared type, or ended.
void Chunk::add_unchained(std::vector<uint64_t>& checkpoints) const {
  uint64_t sure = kHeaderSize;
  EventWalk walk(bytes_, kHeaderSize, {});
  for (Event event; walk.next(event);) {
    if (event.type_id == kCheckpointType) checkpoints.push_back(event.at);
    const bool is_known = event.type_id <= kCheckpointType || type_of(event) != nullptr;
    if (is_known && event.at == sure) sure += event.size;
  }
  for (const uint64_t found : lone_checkpoints(bytes_, metadata_, sure)) checkpoints.push_back(found);
}

std::vector<uint64_t> Chunk::walk_for(uint64_t type_id) const {
  std::vector<uint64_t> places;
  EventWalk walk(bytes_, kHeaderSize, {});
  for (Event event; walk.next(event);)
    if (event.type_id == type_id) places.push_back(event.at);
  return places;
}

bool Chunk::append_string(Cursor& in, std::string& out) {
  const WireString string = read_wire_string(in);
  if (string.form == StringForm::kConstant) return append_constant_text(metadata_.string_type(), string.key, out, 0);
  jfr::read::append_text(string, out);
  return string.form != StringForm::kNull;
}

bool Chunk::append_text(Cursor& in, const Field& field, std::string& out) {
  if (field.array || field.type == kNoType) {
    skip_field(in, metadata_, field);
    return false;
  }
  if (field.constant) return append_constant_text(field.type, in.leb(), out, 0);
  if (field.kind == Kind::kString) return append_string(in, out);
  Cursor inside = in;
  skip_field(in, metadata_, field);
  return field.kind == Kind::kStruct && append_first_field(inside, metadata_.types()[field.type], out, 0);
}

bool Chunk::append_constant_text(uint32_t type, uint64_t key, std::string& out, int depth) {
  if (type == kNoType || depth >= kMaxTextDepth) return false;
  Cursor value = constants().find(type, key);
  if (!value.ok()) return false;
  return append_first_field(value, metadata_.types()[type], out, depth + 1);
}

bool Chunk::append_first_field(Cursor& in, const Type& type, std::string& out, int depth) {
  if (depth >= kMaxTextDepth) return false;
  if (type.kind == Kind::kString) {
    const WireString string = read_wire_string(in);
    if (string.form == StringForm::kConstant)
      return append_constant_text(metadata_.string_type(), string.key, out, depth);
    jfr::read::append_text(string, out);
    return string.form != StringForm::kNull;
  }
  if (type.fields.empty() || type.fields[0].array || type.fields[0].type == kNoType) return false;
  const Field& field = type.fields[0];
  if (field.constant) return append_constant_text(field.type, in.leb(), out, depth);
  return append_first_field(in, metadata_.types()[field.type], out, depth + 1);
}

}  // namespace jfr::read
