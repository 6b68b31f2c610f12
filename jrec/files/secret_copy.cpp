// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/secret_copy.h"

#include <algorithm>

#include "base/redact.h"
#include "base/redact_arguments.h"
#include "base/secret_key.h"
#include "format/reader/values.h"
#include "format/reader/wire_string.h"

namespace jrec {

using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Metadata;
using jfr::read::Type;

namespace {

std::string without_secrets(std::string_view name, const std::string& text) {
  if (base::is_secret_key(name)) return std::string(base::kRedacted);
  if (name == "jvmArguments" || name == "jvmFlags") return base::redact_arguments(text, base::ArgumentKind::kJvm);
  if (name == "javaArguments" || name == "arguments" || name == "commandLine" || name == "command")
    return base::redact_arguments(text, base::ArgumentKind::kProgram);
  return base::redact_property(name, text);
}

}  // namespace

TextTypes::TextTypes(const Metadata& metadata) : known_(metadata.types().size(), Known::kNotYet) {
  for (uint32_t type = 0; type < known_.size(); ++type) look(metadata, type);
}

bool TextTypes::look(const Metadata& metadata, uint32_t index) {
  const Type& type = metadata.types()[index];
  if (known_[index] != Known::kNotYet || !type.decodable()) return in(index);
  known_[index] = Known::kNone;
  const auto holds = [&](const Field& field) {
    return !field.constant && field.type != jfr::read::kNoType && look(metadata, field.type);
  };
  const bool is_one = type.kind == Kind::kString;
  if (is_one || (type.kind == Kind::kStruct && std::ranges::any_of(type.fields, holds))) known_[index] = Known::kHolds;
  return in(index);
}

void SecretCopy::copy(Cursor from, const Cursor& behind) {
  if (behind.ok()) out_.add(from.bytes(behind.at() - from.at()));
}

void SecretCopy::value(Cursor& in, const Type& type, std::string_view name) {
  if (type.kind == Kind::kString) return text(in, name);
  for (const Field& member : type.fields) field(in, member);
}

void SecretCopy::field(Cursor& in, const Field& member) {
  const Metadata& metadata = chunk_.metadata();
  const Cursor from = in;
  if (member.constant || !texts_.in(member.type)) {
    skip_field(in, metadata, member);
    return copy(from, in);
  }
  uint64_t count = 1;
  if (member.array) {
    count = jfr::read::read_count(in, metadata, member);
    copy(from, in);
  }
  for (; count > 0 && in.ok(); --count) value(in, metadata.types()[member.type], member.name);
}

void SecretCopy::text(Cursor& in, std::string_view name) {
  const Cursor from = in;
  jfr::read::skip_wire_string(in);
  if (!in.ok()) return;  // whoever decodes it will say so
  text_.clear();
  Cursor again = from;
  const bool is_null = !chunk_.append_string(again, text_);
  const std::string clean = without_secrets(name, text_);
  if (is_null || text_.empty() || clean == text_) return copy(from, in);
  out_.utf8(clean);
  changed_ = true;
}

}  // namespace jrec
