// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/content.h"

#include "format/reader/field_nanos.h"
#include "format/reader/values.h"

namespace jrec {

using jfr::read::Annotation;
using jfr::read::Field;
using jfr::read::Kind;

Content content_of(const Field& field) {
  if (jfr::read::is_time(field.meaning)) return Content::kTime;
  if (jfr::read::is_span(field.meaning)) return Content::kSpan;
  if (field.kind == Kind::kBoolean) return Content::kFlag;
  bool bytes = false, bits = false, rate = false;
  for (const Annotation& annotation : field.annotations) {
    if (annotation.type == "jdk.jfr.Percentage") return Content::kShare;
    if (annotation.type == "jdk.jfr.MemoryAddress") return Content::kAddress;
    if (annotation.type == "jdk.jfr.Frequency") rate = true;
    if (annotation.type == "jdk.jfr.DataAmount" || annotation.type == "jdk.jfr.MemoryAmount")
      (annotation.first() == "BITS" ? bits : bytes) = true;
  }
  if (bits) return rate ? Content::kBitsPerSecond : Content::kBits;
  if (bytes) return rate ? Content::kBytesPerSecond : Content::kBytes;
  return rate ? Content::kHertz : Content::kPlain;
}

bool has_no_sign(const Field& field) {
  return (field.is_unsigned && field.meaning == jfr::read::Meaning::kPlain) || content_of(field) == Content::kAddress;
}

bool may_exceed_long(const Field& field) {
  return has_no_sign(field) && (field.kind == Kind::kLong || !field.is_unsigned);
}

Whole meant_number(const Field& field, int64_t raw) {
  if (!has_no_sign(field)) return raw;
  return field.is_unsigned ? jfr::read::unsigned_of(raw, field.kind) : static_cast<uint64_t>(raw);
}

}  // namespace jrec
