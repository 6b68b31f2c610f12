// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/chunk_contexts.h"

#include <map>

#include "format/reader/values.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Type;

constexpr std::string_view kContextType = "rec.SampleContext";

// Which of the type's fields say what; -1: there is none.
struct ContextLayout {
  explicit ContextLayout(const Type& type)
      : time(type.field("startTime")),
        thread(type.field("eventThread")),
        trace(type.field("traceId")),
        span(type.field("spanId")),
        name(type.field("spanName")),
        attributes(type.field("attributes")) {
    if (time >= 0 && !jfr::read::is_integer(type.fields[static_cast<size_t>(time)].kind)) time = -1;
    if (thread >= 0 && !type.fields[static_cast<size_t>(thread)].constant) thread = -1;
  }
  bool whole() const { return time >= 0 && thread >= 0 && trace >= 0 && span >= 0; }
  int time, thread, trace, span, name, attributes;  // the last two: not in older ones
};

}  // namespace

std::vector<std::pair<std::string, std::string>> attributes_of(const SampleContext& context) {
  std::vector<std::pair<std::string, std::string>> attributes;
  bool in_value = false;
  for (size_t i = 0; i < context.attributes.size(); ++i) {
    if (i == 0) attributes.emplace_back();
    char c = context.attributes[i];
    if (c == ',') {
      attributes.emplace_back();
      in_value = false;
    } else if (c == '=' && !in_value) {
      in_value = true;
    } else {
      if (c == '\\' && i + 1 < context.attributes.size()) c = context.attributes[++i];
      (in_value ? attributes.back().second : attributes.back().first) += c;
    }
  }
  return attributes;
}

ChunkContexts::ChunkContexts(Chunk& chunk) {
  const Type* const type = chunk.metadata().find(kContextType);
  if (type == nullptr || !type->decodable()) return;
  const ContextLayout layout(*type);
  if (!layout.whole()) return;
  const auto field = [&](int index) -> const Field& { return type->fields[static_cast<size_t>(index)]; };
  std::map<SampleContext, uint32_t> known;
  auto walk = chunk.events_again();
  for (Event event; walk.next(event);) {
    if (event.type_id != type->id) continue;
    Cursor time = chunk.field(event, *type, layout.time), thread = chunk.field(event, *type, layout.thread);
    const Moment moment{thread.leb(), read_integer(time, field(layout.time).kind)};
    const auto text = [&](int index) {
      std::string out;
      if (index < 0) return out;
      Cursor in = chunk.field(event, *type, index);
      return chunk.append_text(in, field(index), out) ? out : std::string();
    };
    const SampleContext context{text(layout.trace), text(layout.span), text(layout.name), text(layout.attributes)};
    if (context == SampleContext() || !time.ok() || !thread.ok()) continue;
    const auto [place, is_new] = known.try_emplace(context, static_cast<uint32_t>(contexts_.size()));
    if (is_new) contexts_.push_back(context);
    places_.find_or_add(moment, place->second);
  }
}

}  // namespace jrec
