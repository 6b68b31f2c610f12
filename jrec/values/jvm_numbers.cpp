// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/jvm_numbers.h"

#include "format/reader/values.h"

namespace jrec {

using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

std::optional<WriterProcess> writer_of(jfr::read::Chunk& chunk) {
  const Type* type = chunk.metadata().find("jdk.JVMInformation");
  if (type == nullptr || !type->decodable()) return std::nullopt;
  const int pid = type->field("pid"), start = type->field("jvmStartTime");
  if (pid < 0 || start < 0) return std::nullopt;
  const auto number = [&](const Event& event, int field) {
    Cursor in = chunk.field(event, *type, field);
    const int64_t value = read_integer(in, type->fields[static_cast<size_t>(field)].kind);
    return in.ok() ? value : 0;
  };
  jfr::read::EventWalk events(chunk.bytes(), jfr::kHeaderSize, {});
  for (Event event; events.next(event);)
    if (event.type_id == type->id) return WriterProcess{number(event, pid), number(event, start)};
  return std::nullopt;
}

bool begins_with(const std::optional<WriterProcess>& writer, const jfr::read::Chunk& chunk) {
  constexpr int64_t kMostToBegin_ms = 5'000;
  return writer && chunk.header().start_ns / 1'000'000 - writer->start_ms < kMostToBegin_ms;
}

uint32_t JvmNumbers::of(const std::optional<WriterProcess>& process) {
  if (process) last_ = numbers_.try_emplace(*process, static_cast<uint32_t>(numbers_.size())).first->second;
  return last_;
}

}  // namespace jrec
