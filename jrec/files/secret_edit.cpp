// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/secret_edit.h"

#include <string>
#include <string_view>

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Type;

void SecretEdit::begin(Chunk& chunk) {
  chunk_ = &chunk;
  texts_ = TextTypes(chunk.metadata());
  pairs_.assign(chunk.metadata().types().size(), std::nullopt);
}

SecretEdit::KeyAndValue SecretEdit::key_and_value_of(const Type& type) {
  const auto text_called = [&](std::string_view name) {
    const int at = type.field(name);
    if (at < 0) return -1;
    const Field& field = type.fields[static_cast<size_t>(at)];
    return field.kind == jfr::read::Kind::kString && !field.array && !field.constant ? at : -1;
  };
  const KeyAndValue pair{text_called("key"), text_called("value")};
  return pair.key >= 0 && pair.value >= 0 ? pair : KeyAndValue();
}

bool SecretEdit::edits(Chunk& chunk, const Event& event, const Type& type, WireBytes& out) {
  const auto index = static_cast<size_t>(&type - chunk.metadata().types().data());
  if (!texts_.in(static_cast<uint32_t>(index))) return false;
  std::optional<KeyAndValue>& pair = pairs_[index];
  if (!pair) pair = key_and_value_of(type);
  std::string key;
  if (pair->key >= 0) {
    Cursor at_key = chunk.field(event, type, pair->key);
    chunk.append_string(at_key, key);
  }
  SecretCopy copy(chunk, texts_, out);
  Cursor in = chunk.body(event);
  for (int i = 0; i < static_cast<int>(type.fields.size()) && in.ok(); ++i)
    i == pair->value ? copy.text(in, key) : copy.field(in, type.fields[static_cast<size_t>(i)]);
  return copy.changed() && in.ok();
}

bool SecretEdit::edits(uint32_t type, uint64_t, Cursor value, WireBytes& out) {
  SecretCopy copy(*chunk_, texts_, out);
  copy.value(value, chunk_->metadata().types()[type]);
  return copy.changed() && value.ok();
}

}  // namespace jrec
