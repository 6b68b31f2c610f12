// SPDX-License-Identifier: Apache-2.0
// SecretEdit replaces secrets in the texts of events and of constants by [redacted], in the way the recorder itself does at the
// source (base/redact.h and base/redact_arguments.h say what counts as one):
//
//   an event with a key and a value   (system properties, environment)        the value, by its key
//   arguments and command lines       (JVMInformation, SystemProcess)         values of secret options, up to the next option
//   any other text, names as well     by the field's name; key=value, passwords of URLs, credentials behind Authorization:
//
// By key: a secret under an innocent name is not found.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/files/chunk_rewrite.h"
#include "jrec/files/secret_copy.h"
#include "jrec/files/wire_bytes.h"

namespace jrec {

class SecretEdit : public ConstantRule {
 public:
  void begin(jfr::read::Chunk& chunk);

  // Puts the event's fields without secrets and says true; false when there are none.
  bool edits(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type, WireBytes& fields);

  bool edits(uint32_t type) const override { return texts_.in(type); }
  bool edits(uint32_t type, uint64_t key, jfr::read::Cursor value, WireBytes& out) override;
  uint64_t add_pools(WireBytes&) override { return 0; }

 private:
  struct KeyAndValue {
    int key = -1, value = -1;  // -1: it has none
  };
  static KeyAndValue key_and_value_of(const jfr::read::Type& type);

  jfr::read::Chunk* chunk_ = nullptr;
  TextTypes texts_;
  std::vector<std::optional<KeyAndValue>> pairs_;  // by type
};

}  // namespace jrec
