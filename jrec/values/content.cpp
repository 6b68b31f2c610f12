// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/content.h"

#include "format/reader/field_nanos.h"

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

}  // namespace jrec
