// SPDX-License-Identifier: Apache-2.0
// SecretEdit replaces secrets in the texts of events by [redacted], in the way the recorder itself does at the source
// (base/redact.h says what counts as one):
//
//   an event with a key and a value   (system properties, environment)        the value, by its key
//   arguments and command lines       (JVMInformation, SystemProcess)         values of secret options
//   any other text                    by the field's name; key=value and the passwords of URLs inside it
//
// By key: a secret under an innocent name is not found. Names of classes, methods and threads are left as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/files/wire_bytes.h"

namespace jrec {

class SecretEdit {
 public:
  void begin(const jfr::read::Chunk& chunk) { texts_.assign(chunk.metadata().types().size(), std::nullopt); }

  // Puts the event's fields without secrets and says true; false when there are none.
  bool edits(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type, WireBytes& fields);

  uint64_t edited() const { return edited_; }

 private:
  struct Texts {
    std::vector<int> fields;  // that are texts, ascending
    int key = -1, value = -1;
  };
  static Texts texts_of(const jfr::read::Type& type);

  std::vector<std::optional<Texts>> texts_;  // by type, of the chunk at hand
  uint64_t edited_ = 0;
};

}  // namespace jrec
