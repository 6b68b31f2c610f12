// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/event_pass.h"

#include <fmt/core.h>

#include "format/reader/values.h"

namespace jrec {

bool EventPass::is_decodable(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type) {
  jfr::read::Cursor in = chunk.body(event);
  if (type.decodable())
    for (const jfr::read::Field& field : type.fields) skip_field(in, chunk.metadata(), field);
  if (type.decodable() && in.ok()) return true;
  chunk.problems().add(base::Error{base::ErrorCode::kCorrupt, chunk.offset_in_file() + event.at,
                                   fmt::format("{} cannot be decoded, it is left out", type.name)});
  return false;
}

}  // namespace jrec
