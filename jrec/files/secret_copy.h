// SPDX-License-Identifier: Apache-2.0
// SecretCopy copies values of events and constants, with [redacted] in the place of what is secret in their texts
// (base/redact.h and base/redact_arguments.h say what counts as one). A text is judged by the name of its field, and by what is inside.
//
//   TextTypes texts(metadata);   if (texts.in(type)) ...       whether there is anything to look at
//   SecretCopy copy(chunk, out); copy.value(in, type);  copy.changed()
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/files/wire_bytes.h"

namespace jrec {

// Which types hold texts: in themselves, and not in constants that they name.
class TextTypes {
 public:
  TextTypes() = default;
  explicit TextTypes(const jfr::read::Metadata& metadata);
  bool in(uint32_t type) const { return type < known_.size() && known_[type] == Known::kHolds; }

 private:
  enum class Known : uint8_t { kNotYet, kNone, kHolds };
  bool look(const jfr::read::Metadata& metadata, uint32_t type);

  std::vector<Known> known_;  // by type
};

// All of its functions move the cursor behind what they copy. It fails on damage; then the copy is worth nothing.
class SecretCopy {
 public:
  SecretCopy(jfr::read::Chunk& chunk, const TextTypes& texts, WireBytes& out)
      : chunk_(chunk), texts_(texts), out_(out) {}

  void value(jfr::read::Cursor& in, const jfr::read::Type& type, std::string_view name = {});
  void field(jfr::read::Cursor& in, const jfr::read::Field& member);
  void text(jfr::read::Cursor& in, std::string_view name);
  bool changed() const { return changed_; }

 private:
  void copy(jfr::read::Cursor from, const jfr::read::Cursor& behind);

  jfr::read::Chunk& chunk_;
  const TextTypes& texts_;
  WireBytes& out_;
  std::string text_;
  bool changed_ = false;
};

}  // namespace jrec
