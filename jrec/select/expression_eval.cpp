// SPDX-License-Identifier: Apache-2.0
// What an expression makes of an event.
#include <cmath>
#include <limits>

#include "format/reader/values.h"
#include "jrec/select/expression.h"
#include "jrec/select/glob.h"
#include "jrec/select/may_be.h"
#include "jrec/values/content.h"
#include "jrec/values/field_text.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Kind;
using jfr::read::Meaning;
using Compare = Expression::Compare;
using Literal = Expression::Literal;

constexpr int kBitsOfByte = 8;

template <typename Number>
bool compared(Compare compare, Number left, Number right) {
  switch (compare) {
    case Compare::kEqual: return left == right;
    case Compare::kNotEqual: return left != right;
    case Compare::kLess: return left < right;
    case Compare::kLessEqual: return left <= right;
    case Compare::kGreater: return left > right;
    case Compare::kGreaterEqual: return left >= right;
    default: return false;
  }
}

bool text_holds(const Expression::Node& node, const std::string& text) {
  const std::string& wanted = node.literal.text;
  const bool glob = wanted.find_first_of("*?") != std::string::npos;
  switch (node.compare) {
    case Compare::kIsSet: return !text.empty();
    case Compare::kFinds: return node.regex->found_in(text);
    case Compare::kFindsNot: return !node.regex->found_in(text);
    case Compare::kEqual: return glob ? glob_matches(wanted, text) : text == wanted;
    case Compare::kNotEqual: return glob ? !glob_matches(wanted, text) : text != wanted;
    default: return compared(node.compare, text.compare(wanted), 0);
  }
}

// One character is itself, and no pattern.
bool character_holds(const Expression::Node& node, const std::string& text) {
  if (node.compare == Compare::kIsSet) return text[0] != '\0';
  return compared(node.compare, text.compare(node.literal.text), 0);
}

bool number_holds(const Expression::Node& node, Whole number, bool is_unsigned) {
  const Literal& literal = node.literal;
  if (!literal.whole) return compared<WideReal>(node.compare, static_cast<WideReal>(number), literal.number);
  const bool as_signed = literal.bits && !is_unsigned;
  return compared(node.compare, number, as_signed ? static_cast<int64_t>(literal.integer) : literal.integer);
}

// A number that is typed has the field's precision: a float of 0.385 is what 38.5% means, and no double is.
bool real_holds(const Expression::Node& node, double real, Kind kind) {
  const double typed = node.literal.number;
  if (kind == Kind::kFloat && std::fabs(typed) <= std::numeric_limits<float>::max())
    return compared(node.compare, static_cast<float>(real), static_cast<float>(typed));
  return compared(node.compare, real, typed);
}

// The smallest long stands for a time or a length that there is not, as views have it.
bool is_never_set(const FieldValue& value) {
  if (!value.is(Kind::kLong) || value.field->meaning == Meaning::kPlain) return false;
  Cursor in = value.in;
  return read_integer(in, Kind::kLong) == std::numeric_limits<int64_t>::min();
}

// Neither is a number in print, and both are null in JSON.
bool is_no_number(const FieldValue& value) {
  if (value.null() || !value.is_number() || !is_real(value.type->kind)) return false;
  Cursor in = value.in;
  const double real = read_real(in, value.type->kind);
  return std::isnan(real) || real == -std::numeric_limits<double>::infinity();
}

// Nothing is there that could be compared.
bool is_missing(const FieldValue& value) { return value.null() || is_never_set(value) || is_no_number(value); }

bool is_of_bits(Content content) { return content == Content::kBits || content == Content::kBitsPerSecond; }

// A text may be null where it stands.
bool is_null(const FieldValue& value, FieldReader& fields) {
  std::string text;
  return is_missing(value) || (value.is(Kind::kString) && !append_short_text(fields, value, text));
}

// What has no text by itself, as a group of threads has none whose first field is its parent, is called by its name.
bool append_compared_text(FieldReader& fields, const FieldValue& value, std::string& out) {
  return append_short_text(fields, value, out) || (value.is_struct() && fields.text(fields.member(value, "name"), out));
}

bool negative(Compare compare) { return compare == Compare::kNotEqual || compare == Compare::kFindsNot; }

}  // namespace

struct Expression::Subject {
  FieldReader& fields;
  const FieldTime& time;
  int32_t utc_offset_s;
  const jfr::read::Event& event;
  const jfr::read::Type& type;

  FieldValue find(const std::vector<std::string>& path) const {
    FieldValue value = fields.of(event, type, path[0]);
    for (size_t i = 1; i < path.size() && !value.null(); ++i) value = fields.member(value, path[i]);
    return value;
  }
};

bool Expression::matches(FieldReader& fields, const FieldTime& time, int32_t utc_offset_s,
                         const jfr::read::Event& event, const jfr::read::Type& type) const {
  return holds(root_, Subject{fields, time, utc_offset_s, event, type});
}

bool Expression::holds(uint32_t at, const Subject& subject) const {
  const Node& node = nodes_[at];
  switch (node.kind) {
    case Node::kNot: return !holds(node.left, subject);
    case Node::kAnd: return holds(node.left, subject) && holds(node.right, subject);
    case Node::kOr: return holds(node.left, subject) || holds(node.right, subject);
    case Node::kTest: break;
  }
  return test(node, subject);
}

bool Expression::test(const Node& node, const Subject& subject) const {
  const FieldValue value = subject.find(node.path);
  if (node.literal.kind == Literal::kNull && node.compare != Compare::kIsSet)
    return is_null(value, subject.fields) == (node.compare == Compare::kEqual);
  if (is_missing(value)) return false;
  if (!is_time(value.field->meaning) && !may_be(node, *value.field))
    return false;  // what is no time is found out below
  if (value.is_struct() && value.type->name == "jdk.types.StackTrace") return test_stack(node, value, subject.fields);
  const bool finds = node.compare == Compare::kFinds || node.compare == Compare::kFindsNot;
  const bool is_char = value.is(Kind::kChar);
  if (!value.is_number() || is_char || finds) {
    std::string text;
    if (!append_compared_text(subject.fields, value, text))
      return node.compare == Compare::kIsSet && !value.is(Kind::kString);
    return is_char && !finds ? character_holds(node, text) : text_holds(node, text);
  }
  Cursor in = value.in;
  const Kind kind = value.type->kind;
  if (is_real(kind)) {
    const double real = read_real(in, kind);
    if (node.compare == Compare::kIsSet) return real != 0;
    return node.literal.kind != Literal::kText && real_holds(node, real, kind);
  }
  int64_t number = read_integer(in, kind);
  const Meaning meaning = value.field->meaning;
  if (meaning != Meaning::kPlain) number = subject.time.nanos(number, meaning);
  if (node.compare == Compare::kIsSet) return number != 0;
  if (is_time(meaning)) {
    const auto moment = node.literal.moment(subject.utc_offset_s);
    return moment && compared(node.compare, number, *moment);
  }
  if (node.literal.kind == Literal::kText) return false;
  const bool is_unsigned = has_no_sign(*value.field);
  const Whole whole = meant_number(*value.field, number);
  if (node.literal.unit == Literal::kBytes && is_of_bits(content_of(*value.field)))
    return compared<WideReal>(node.compare, static_cast<WideReal>(whole), node.literal.number * kBitsOfByte);
  return number_holds(node, whole, is_unsigned);
}

bool Expression::test_stack(const Node& node, const FieldValue& stack, FieldReader& fields) const {
  const FieldValue frames = fields.member(stack, "frames");
  if (node.compare == Compare::kIsSet) return !frames.null();
  if (frames.null() || !frames.array) return false;
  Cursor in = frames.in;
  const uint64_t count = read_count(in, fields.chunk().metadata(), *frames.field);
  std::string name;
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    name.clear();
    const FieldValue frame = fields.take_element(in, *frames.field);
    if (!append_frame_method(fields, frame, name)) continue;
    if (text_holds(node, name) != negative(node.compare)) return !negative(node.compare);
  }
  return negative(node.compare);
}

}  // namespace jrec
