// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/program_identity.h"

#include <algorithm>

#include "format/reader/values.h"
#include "jrec/files/constant_hash.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

// False when the two say different things of one key.
template <typename Small, typename Large>
bool agree(const Small& small, const Large& large) {
  return std::all_of(small.begin(), small.end(), [&](const auto& entry) {
    const auto other = large.find(entry.first);
    return other == large.end() || other->second == entry.second;
  });
}

}  // namespace

ProgramIdentity::ProgramIdentity(Chunk& chunk) : process_(process_of(chunk)) {
  if (!process_) return;
  for (const Type& type : chunk.metadata().types()) types_.emplace(type.name, type.id);
  for_each_constant(chunk, [&](uint64_t name, uint64_t content) { constants_.emplace(name, content); });
}

std::optional<ProgramIdentity::Process> ProgramIdentity::process_of(Chunk& chunk) {
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
    if (event.type_id == type->id) return Process{number(event, pid), number(event, start)};
  return std::nullopt;
}

bool ProgramIdentity::same_as(const ProgramIdentity& other) const {
  if (!process_ || process_ != other.process_ || process_->pid == 0) return false;
  return agree(types_, other.types_) && agree(constants_, other.constants_);
}

}  // namespace jrec
