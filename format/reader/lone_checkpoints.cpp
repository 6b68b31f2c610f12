// SPDX-License-Identifier: Apache-2.0
#include "format/reader/lone_checkpoints.h"

#include <cstring>

#include "format/header_layout.h"
#include "format/reader/checkpoint_walk.h"
#include "format/reader/cursor.h"

namespace jfr::read {
namespace {

constexpr uint64_t kLongestSize = 5;  // bytes of a size below 32 GiB
constexpr uint64_t kWorkPerByte = 16;

class Search {
 public:
  Search(std::span<const uint8_t> chunk, const Metadata& metadata, uint64_t from)
      : chunk_(chunk), metadata_(metadata), from_(from), work_left_((chunk.size() - from) * kWorkPerByte) {}

  std::vector<uint64_t> run() {
    std::vector<uint64_t> found;
    for (uint64_t type_at = next_type(from_); type_at < chunk_.size(); type_at = next_type(type_at + 1)) {
      const uint64_t at = begin_of(type_at);
      if (at == type_at) continue;
      found.push_back(at);
      from_ = at + size_of(at);
      type_at = from_ - 1;
    }
    return found;
  }

 private:
  // Where a byte is that may be the type of a checkpoint.
  uint64_t next_type(uint64_t at) const {
    if (at >= chunk_.size()) return chunk_.size();
    const void* const byte = std::memchr(chunk_.data() + at, kCheckpointType, chunk_.size() - at);
    return byte == nullptr ? chunk_.size() : static_cast<uint64_t>(static_cast<const uint8_t*>(byte) - chunk_.data());
  }

  // Where the checkpoint begins that has its type at `type_at`; there: none has.
  uint64_t begin_of(uint64_t type_at) {
    for (uint64_t length = 1; length <= kLongestSize && from_ + length <= type_at; ++length) {
      const uint64_t at = type_at - length;
      if (length > 1 && chunk_[at] < 0x80) break;  // the size before ends here
      if (is_checkpoint(at, length)) return at;
    }
    return type_at;
  }

  uint64_t size_of(uint64_t at) const { return Cursor(chunk_, at).leb(); }

  bool is_checkpoint(uint64_t at, uint64_t length_of_size) {
    Cursor in(chunk_, at);
    const uint64_t size = in.leb();
    if (in.at() != at + length_of_size || size <= length_of_size || size > chunk_.size() - at) return false;
    if (size > work_left_) return false;
    work_left_ -= size;
    CheckpointWalk walk(chunk_, metadata_, at);
    bool has_constant = false;
    while (walk.next_pool())
      while (walk.next_constant()) has_constant = true;
    return has_constant && walk.why().empty();
  }

  std::span<const uint8_t> chunk_;
  const Metadata& metadata_;
  uint64_t from_;  // nothing before it is looked at
  uint64_t work_left_;
};

}  // namespace

std::vector<uint64_t> lone_checkpoints(std::span<const uint8_t> chunk, const Metadata& metadata, uint64_t from) {
  if (metadata.types().empty() || from >= chunk.size()) return {};
  return Search(chunk, metadata, from).run();
}

}  // namespace jfr::read
