// SPDX-License-Identifier: Apache-2.0
// Which fields an expression has met, and what these can never be.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/select/expression.h"
#include "jrec/select/known_events.h"
#include "jrec/select/may_be.h"
#include "jrec/select/time_range.h"
#include "jrec/values/content.h"

namespace jrec {

using jfr::read::Field;
using jfr::read::is_real;
using jfr::read::is_time;
using jfr::read::Kind;
using Compare = Expression::Compare;
using Literal = Expression::Literal;
using Node = Expression::Node;

std::optional<int64_t> Literal::moment(int32_t utc_offset_s) const {
  const auto iso = parse_iso(text, utc_offset_s);
  return iso ? iso : parse_epoch_millis(text);
}

namespace {

bool finds(Compare compare) { return compare == Compare::kFinds || compare == Compare::kFindsNot; }
bool orders(Compare compare) {
  return compare == Compare::kLess || compare == Compare::kLessEqual || compare == Compare::kGreater ||
         compare == Compare::kGreaterEqual;
}

// The unit of a literal that may stand beside such a number. Any may beside one that measures nothing.
Literal::Unit unit_beside(Content content) {
  switch (content) {
    case Content::kSpan: return Literal::kSpan;
    case Content::kBytes:
    case Content::kBytesPerSecond:
    case Content::kBits:
    case Content::kBitsPerSecond: return Literal::kBytes;
    case Content::kShare: return Literal::kShare;
    default: return Literal::kNoUnit;
  }
}

const char* words_of(Content content) {
  if (content == Content::kTime) return "a time";
  switch (unit_beside(content)) {
    case Literal::kSpan: return "a duration";
    case Literal::kBytes: return "an amount of data";
    case Literal::kShare: return "a share";
    case Literal::kNoUnit: break;
  }
  return "a number";
}

bool is_one_character(std::string_view text) {
  constexpr auto goes_on = [](char byte) { return (static_cast<uint8_t>(byte) & 0xc0) == 0x80; };
  return !text.empty() && std::ranges::all_of(text.substr(1), goes_on);
}

bool truth_may_be(const Node& node) {
  const Literal& literal = node.literal;
  const bool is_bit = literal.whole && (literal.number == 0 || literal.number == 1);
  return !orders(node.compare) && (literal.kind == Literal::kTruth || is_bit);
}

bool number_may_be(const Node& node, const Field& field) {
  const Literal& literal = node.literal;
  if (is_time(field.meaning)) return literal.moment(0).has_value();
  if (literal.kind == Literal::kText) return false;
  if (literal.kind == Literal::kNumber && literal.unit == Literal::kNoUnit) return true;
  const Literal::Unit unit = unit_beside(content_of(field));
  if (literal.kind == Literal::kTruth) return unit == Literal::kNoUnit && !is_real(field.kind);
  return unit == Literal::kNoUnit || literal.unit == unit;
}

std::string why_never(const Node& node, const Field& field) {
  const std::string& text = node.literal.text;
  if (field.kind == Kind::kBoolean && orders(node.compare)) return "is true or false, and these have no order";
  if (field.kind == Kind::kBoolean) return fmt::format("is true or false, and '{}' is neither", text);
  if (field.kind == Kind::kChar) return fmt::format("is one character, and '{}' is none", text);
  if (field.kind > Kind::kDouble) return fmt::format("is no number, and cannot be more or less than '{}'", text);
  const Content content = content_of(field);
  const char* const write = ": write 2023-11-20T11:22:33, or milliseconds since 1970";
  return fmt::format("is {}, and '{}' is none{}", words_of(content), text, content == Content::kTime ? write : "");
}

std::string dotted(const std::vector<std::string>& path) {
  std::string name;
  for (const std::string& part : path) name += (name.empty() ? "" : ".") + part;
  return name;
}

}  // namespace

bool may_be(const Node& node, const Field& field) {
  if (node.compare == Compare::kIsSet || finds(node.compare)) return true;
  if (node.literal.kind == Literal::kNull || field.array) return true;
  if (field.kind == Kind::kChar) return is_one_character(node.literal.text);
  if (field.kind == Kind::kBoolean) return truth_may_be(node);
  if (field.kind <= Kind::kDouble) return number_may_be(node, field);
  return !orders(node.compare) || node.literal.kind != Literal::kNumber;
}

void Expression::meet(const jfr::read::Type& type, const jfr::read::Metadata& metadata) {
  for (Node& node : nodes_) {
    if (node.kind != Node::kTest || (node.met && node.never.empty())) continue;
    const jfr::read::Type* at = &type;
    const Field* field = nullptr;
    for (const std::string& name : node.path) {
      const int index = at == nullptr ? -1 : at->field(name);
      field = index < 0 ? nullptr : &at->fields[static_cast<size_t>(index)];
      if (field == nullptr) {
        if (at != nullptr) node.miss(name, *at);
        break;
      }
      at = field->type == jfr::read::kNoType ? nullptr : &metadata.types()[field->type];
    }
    if (field == nullptr) continue;
    node.met = true;
    node.never = may_be(node, *field) ? "" : why_never(node, *field);
  }
}

void Node::miss(const std::string& name, const jfr::read::Type& type) {
  missed = name;
  for (const Field& field : type.fields) beside.emplace(field.name);
}

std::vector<std::string> Expression::what_never_holds() const {
  std::vector<std::string> tests;
  for (const Node& node : nodes_) {
    if (node.kind != Node::kTest) continue;
    const std::string field = dotted(node.path);
    if (!node.met)
      tests.push_back(
          fmt::format("no event that was selected has a field {}{}", field, did_you_mean(node.missed, node.beside)));
    if (!node.never.empty()) tests.push_back(field + " " + node.never);
  }
  return tests;
}

}  // namespace jrec
