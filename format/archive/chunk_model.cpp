// SPDX-License-Identifier: Apache-2.0
#include "format/archive/chunk_model.h"

#include "base/leb128.h"

namespace jfr::archive {

using base::Result;

Result<read::Metadata> metadata_of(std::span<const uint8_t> content) {
  std::vector<uint8_t> event;
  base::append_padded_leb(content.size() + 4 + 4, 4, event);
  event.insert(event.end(), 4, 0);  // type, start, duration, id
  event.insert(event.end(), content.begin(), content.end());
  return read::Metadata::parse(event, 0);
}

}  // namespace jfr::archive
