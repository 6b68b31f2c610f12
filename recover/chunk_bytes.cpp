// SPDX-License-Identifier: Apache-2.0
#include "recover/chunk_bytes.h"

#include "base/file_io.h"

namespace rec {

bool ChunkBytes::read_head(uint64_t at, jfr::read::Event& event) {
  const uint64_t needed = std::min(jfr::read::kLongestEventHead, end_ - at);
  const uint8_t* bytes = heads_.look(at, needed, end_);
  if (bytes == nullptr) return false;
  jfr::read::Cursor in({bytes, needed}, 0);
  if (read_event_head(in, end_ - at, event) != jfr::read::EventFault::kNone) return false;
  event.body += at;
  event.at = at;
  return true;
}

bool ChunkBytes::read_numbers(const jfr::read::Event& event, uint64_t& first, uint64_t& second) {
  const uint64_t size = std::min<uint64_t>(event.at + event.size - event.body, jfr::read::kLongestEventHead);
  const uint8_t* bytes = heads_.look(event.body, size, end_);
  if (bytes == nullptr) return false;
  jfr::read::Cursor in({bytes, size}, 0);
  first = in.leb();
  second = in.leb();
  return in.ok() && event.body + in.at() == event.at + event.size;
}

const uint8_t* ChunkBytes::Window::look(uint64_t at, uint64_t needed, uint64_t end) {
  if (at >= from_ && at + needed <= from_ + filled_) return bytes_.data() + (at - from_);
  from_ = at;
  filled_ = std::min<uint64_t>(bytes_.size(), end - at);
  if (filled_ >= needed && base::read_all_at(fd_, bytes_.data(), filled_, from_)) return bytes_.data();
  filled_ = 0;
  return nullptr;
}

}  // namespace rec
