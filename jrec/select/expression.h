// SPDX-License-Identifier: Apache-2.0
// Expression is what --where says: a condition on the fields of an event.
//
//   or    = and { ("or" | "||") and }
//   and   = not { ("and" | "&&") not }
//   not   = ("not" | "!") not | "(" or ")" | test
//   test  = field [ ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~") value ]
//   field = name { "." name }                      eventThread.javaName, stackTrace, duration
//   value = number [ unit ] | true | false | null | "text" | 'text' | word
//   unit  = ns us ms s m h d | B kB MB GB TB | %   durations are nanoseconds inside, amounts bytes, % hundredths
//
// = and != compare texts as a glob when the text has a * or ?; ~ finds a regular expression (regex.h) anywhere.
// A unit must be one of the field's kind: no duration is 5 MB. 1 MB beside a field of bits is 8,388,608 of them.
// A time of the recording is compared with a text of ISO 8601, or with milliseconds since the epoch: a number without a
// unit, of more than twenty years. A field alone is true when it is there and neither false, 0 nor empty. A thread or a
// group of them is its name, a class its dotted name, a method class.method; a stack passes when one of its frames does
// (with != and !~: when none does). A test of a field that the event does not have, or that is null, is false, but for
// `= null`, which is true.
//
// Parsing takes no more than kMaxDepth parentheses and kMaxText characters. Errors point at the place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jrec/select/regex.h"
#include "jrec/values/field_time.h"
#include "jrec/values/field_value.h"
#include "jrec/values/whole.h"

namespace jrec {

class Expression {
 public:
  static constexpr int kMaxDepth = 100;
  static constexpr size_t kMaxText = 64 * 1024;

  enum class Compare : uint8_t {
    kIsSet,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kFinds,
    kFindsNot
  };
  struct Literal {
    enum Kind : uint8_t { kNull, kTruth, kNumber, kText } kind = kNull;
    double number = 0;   // a truth is 0 or 1
    bool whole = false;  // integer says it exactly
    bool bits = false;   // hexadecimal: the bits of a number, whatever its sign
    Whole integer = 0;
    std::string text;  // as it was written, without quotes
    enum Unit : uint8_t { kNoUnit, kSpan, kBytes, kShare } unit = kNoUnit;

    // The time that it means, as --from takes it but for what counts from the recording's ends.
    std::optional<int64_t> moment(int32_t utc_offset_s) const;
  };
  struct Node {
    enum Kind : uint8_t { kTest, kNot, kAnd, kOr } kind = kTest;
    uint32_t left = 0, right = 0;  // places in nodes
    std::vector<std::string> path;
    Compare compare = Compare::kIsSet;
    Literal literal;
    std::shared_ptr<const Regex> regex;
    bool met = false;              // some type has the field,
    std::string never;             // and what it is there, if that is never what the literal is
    std::string missed;            // until then: the part of the path that was not found,
    std::set<std::string> beside;  // and the fields that were there

    void miss(const std::string& name, const jfr::read::Type& type);
  };

  static base::Result<Expression> parse(std::string_view text);

  bool matches(FieldReader& fields, const FieldTime& time, int32_t utc_offset_s, const jfr::read::Event& event,
               const jfr::read::Type& type) const;

  // Notes which fields events of this type have. Call it once a type.
  void meet(const jfr::read::Type& type, const jfr::read::Metadata& metadata);

  // Tests that nothing can pass, by the types that were met: of fields that none has ("no event that was selected has a
  // field durtion; did you mean duration?"), and of fields with what they never are ("startTime is a time, and '1500' is none").
  std::vector<std::string> what_never_holds() const;

 private:
  friend class ExpressionParser;
  struct Subject;

  bool holds(uint32_t at, const Subject& subject) const;
  bool test(const Node& node, const Subject& subject) const;
  bool test_stack(const Node& node, const FieldValue& stack, FieldReader& fields) const;

  std::vector<Node> nodes_;
  uint32_t root_ = 0;
};

}  // namespace jrec
