// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/secret_edit.h"

#include <algorithm>
#include <string_view>

#include "base/redact.h"
#include "format/reader/values.h"

namespace jrec {
namespace {

using base::ArgumentKind;
using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Type;

std::string without_secrets(std::string_view field, const std::string& text) {
  if (base::is_secret_key(field)) return std::string(base::kRedacted);
  if (field == "jvmArguments" || field == "jvmFlags") return base::redact_arguments(text, base::ArgumentKind::kJvm);
  if (field == "javaArguments" || field == "arguments" || field == "commandLine" || field == "command")
    return base::redact_arguments(text, base::ArgumentKind::kProgram);
  return base::redact_property(field, text);
}

}  // namespace

SecretEdit::Texts SecretEdit::texts_of(const Type& type) {
  Texts texts;
  if (!type.decodable()) return texts;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const Field& field = type.fields[i];
    if (field.kind != jfr::read::Kind::kString || field.array || field.constant) continue;
    texts.fields.push_back(static_cast<int>(i));
    if (field.name == "key") texts.key = static_cast<int>(i);
    if (field.name == "value") texts.value = static_cast<int>(i);
  }
  return texts;
}

bool SecretEdit::edits(Chunk& chunk, const Event& event, const Type& type, WireBytes& out) {
  std::optional<Texts>& texts = texts_[static_cast<size_t>(&type - chunk.metadata().types().data())];
  if (!texts) texts = texts_of(type);
  if (texts->fields.empty()) return false;
  bool changed = false;
  std::string key, text;
  if (texts->key >= 0 && texts->value >= 0) {
    Cursor at_key = chunk.field(event, type, texts->key);
    chunk.append_string(at_key, key);
  }
  Cursor in = chunk.body(event);
  for (int i = 0; i < static_cast<int>(type.fields.size()) && in.ok(); ++i) {
    const Field& field = type.fields[static_cast<size_t>(i)];
    const uint64_t at = in.at();
    Cursor value = in;
    skip_field(in, chunk.metadata(), field);
    if (!in.ok()) return false;  // whoever decodes it will say so
    if (std::binary_search(texts->fields.begin(), texts->fields.end(), i)) {
      text.clear();
      const bool is_null = !chunk.append_string(value, text);
      const std::string clean =
          i == texts->value && texts->key >= 0 ? base::redact_property(key, text) : without_secrets(field.name, text);
      if (!is_null && !text.empty() && clean != text) {
        out.utf8(clean);
        changed = true;
        continue;
      }
    }
    out.add(chunk.bytes().subspan(at, in.at() - at));
  }
  edited_ += changed;
  return changed;
}

}  // namespace jrec
