// SPDX-License-Identifier: Apache-2.0
// The parser: recursive descent over the text, one function for each line of the grammar.
#include "jrec/select/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace jrec {

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  base::Result<Expression> parse() {
    if (text_.size() > Expression::kMaxText) fail("the expression is too long");
    expression_.root_ = parse_or();
    if (ok() && !at_end()) fail("expected 'and', 'or' or the end");
    if (!ok())
      return base::Error{base::ErrorCode::kUsage, 0,
                         "--where: " + error_ + " at character " + std::to_string(error_at_ + 1) + ": " + quoted()};
    return std::move(expression_);
  }

 private:
  using Node = Expression::Node;
  using Compare = Expression::Compare;
  using Literal = Expression::Literal;

  struct KnownUnit {
    std::string_view name;
    double scale;
    Literal::Unit unit;
  };
  static constexpr KnownUnit kUnits[] = {
      {"ns", 1, Literal::kSpan},       {"us", 1e3, Literal::kSpan},     {"ms", 1e6, Literal::kSpan},
      {"s", 1e9, Literal::kSpan},      {"m", 60e9, Literal::kSpan},     {"min", 60e9, Literal::kSpan},
      {"h", 3600e9, Literal::kSpan},   {"d", 86'400e9, Literal::kSpan}, {"B", 1, Literal::kBytes},
      {"kB", 1024.0, Literal::kBytes}, {"KB", 1024.0, Literal::kBytes}, {"MB", 0x1p20, Literal::kBytes},
      {"GB", 0x1p30, Literal::kBytes}, {"TB", 0x1p40, Literal::kBytes},
  };

  static bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool in_word(char c) {
    return starts_name(c) || is_digit(c) || c == '.' || c == '*' || c == '?' || c == '/' || c == '-' || c == '[' ||
           c == ']' || c == ':' || (c & 0x80) != 0;
  }

  uint32_t parse_or() {
    uint32_t left = parse_and();
    while (ok() && (take_word("or") || take("||"))) left = add(Node::kOr, left, parse_and());
    return left;
  }

  uint32_t parse_and() {
    uint32_t left = parse_not();
    while (ok() && (take_word("and") || take("&&"))) left = add(Node::kAnd, left, parse_not());
    return left;
  }

  uint32_t parse_not() {
    if (++depth_ > Expression::kMaxDepth) fail("too many parentheses");
    uint32_t node = 0;
    if (!ok()) return 0;
    if (take_word("not") || take("!")) {
      node = add(Node::kNot, parse_not(), 0);
    } else if (take("(")) {
      node = parse_or();
      if (ok() && !take(")")) fail("expected ')'");
    } else {
      node = parse_test();
    }
    --depth_;
    return node;
  }

  uint32_t parse_test() {
    Node node;
    do {
      node.path.emplace_back(take_name());
      if (node.path.back().empty()) fail(at_end() ? "expected a field, and here is the end" : "expected a field");
    } while (ok() && at_ < text_.size() && text_[at_] == '.' && ++at_);
    if (ok()) node.compare = take_compare();
    if (ok() && node.compare != Compare::kIsSet) parse_value(node);
    expression_.nodes_.push_back(std::move(node));
    return static_cast<uint32_t>(expression_.nodes_.size() - 1);
  }

  Compare take_compare() {
    static constexpr std::pair<std::string_view, Compare> kSigns[] = {
        {"==", Compare::kEqual},        {"=", Compare::kEqual}, {"!=", Compare::kNotEqual},
        {"!~", Compare::kFindsNot},     {"~", Compare::kFinds}, {"<=", Compare::kLessEqual},
        {">=", Compare::kGreaterEqual}, {"<", Compare::kLess},  {">", Compare::kGreater},
    };
    for (const auto& [sign, compare] : kSigns)
      if (take(sign)) return compare;
    return Compare::kIsSet;
  }

  void parse_value(Node& node) {
    skip_space();
    const size_t from = at_;
    Literal& literal = node.literal;
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      literal.kind = Literal::kText;
      literal.text = take_quoted();
    } else {
      const bool sign = at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+');
      if (sign) ++at_;
      while (at_ < text_.size() && (in_word(text_[at_]) || text_[at_] == '%')) ++at_;
      literal.text = text_.substr(from, at_ - from);
      classify(literal, from);
    }
    const bool finds = node.compare == Compare::kFinds || node.compare == Compare::kFindsNot;
    if (!ok() || !finds) return;
    auto regex = Regex::compile(literal.text);
    if (!regex) return fail(regex.error().what, from);
    node.regex = *regex;
  }

  void classify(Literal& literal, size_t from) {
    const std::string& word = literal.text;
    if (word.empty()) return fail(at_end() ? "expected a value, and here is the end" : "expected a value", from);
    literal.kind = Literal::kText;
    if (word == "null") literal.kind = Literal::kNull;
    if (word == "true" || word == "false") {
      literal.kind = Literal::kTruth;
      literal.number = word == "true" ? 1 : 0;
    }
    const size_t digit = word[0] == '-' || word[0] == '+' ? 1 : 0;
    if (digit < word.size() && (is_digit(word[digit]) || word[digit] == '.') && !is_date(word))
      read_number(literal, from);
  }

  static bool is_date(std::string_view word) { return word.size() > 5 && (word[4] == '-' || word.find(':') < 6); }

  template <typename Number>
  static void read_whole(Literal& literal, std::string_view word) {
    Number number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    literal.whole = error == std::errc() && end == word.data() + word.size();
    literal.integer = number;
  }

  void read_number(Literal& literal, size_t from) {
    std::string_view word = literal.text;
    if (word[0] == '+') word.remove_prefix(1);
    literal.kind = Literal::kNumber;
    const char* end = word.data() + word.size();
    if (word.starts_with("0x") || word.starts_with("0X")) {
      uint64_t bits = 0;
      const auto hex = std::from_chars(word.data() + 2, end, bits, 16);
      literal.whole = literal.bits = true;
      literal.integer = bits;
      literal.number = static_cast<double>(bits);
      if (hex.ec != std::errc() || hex.ptr != end) fail("this is no number", from);
      return;
    }
    read_whole<int64_t>(literal, word);
    if (!literal.whole) read_whole<uint64_t>(literal, word);
    const auto real = std::from_chars(word.data(), end, literal.number);
    if (real.ec != std::errc()) return fail("this is no number", from);
    if (real.ptr == end) return;
    const std::string_view typed(real.ptr, static_cast<size_t>(end - real.ptr));
    if (typed == "%") {
      literal.number /= 100;  // 57 * 0.01 is not 0.57
      literal.unit = Literal::kShare;
      return;
    }
    for (const KnownUnit& unit : kUnits) {
      if (unit.name != typed) continue;
      literal.number *= unit.scale;
      literal.unit = unit.unit;
      return;
    }
    fail("unknown unit '" + std::string(real.ptr, end) + "' (ns us ms s m h d, B kB MB GB TB, %)", from);
  }

  std::string take_quoted() {
    const size_t from = at_;
    const char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) return ++at_, out;
      const bool escaped =
          text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == quote || text_[at_ + 1] == '\\');
      out += text_[escaped ? ++at_ : at_];
    }
    fail("this quote is not closed", from);
    return out;
  }

  std::string_view take_name() {
    skip_space();
    const size_t from = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || (at_ > from && is_digit(text_[at_])))) ++at_;
    return text_.substr(from, at_ - from);
  }

  bool take(std::string_view sign) {
    skip_space();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  bool take_word(std::string_view word) {
    skip_space();
    const size_t end = at_ + word.size();
    if (!text_.substr(at_).starts_with(word) || (end < text_.size() && in_word(text_[end]))) return false;
    at_ = end;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  uint32_t add(Node::Kind kind, uint32_t left, uint32_t right) {
    Node node;
    node.kind = kind, node.left = left, node.right = right;
    expression_.nodes_.push_back(std::move(node));
    return static_cast<uint32_t>(expression_.nodes_.size() - 1);
  }

  bool ok() const { return error_.empty(); }
  void fail(std::string what) { fail(std::move(what), at_); }
  void fail(std::string what, size_t at) {
    if (ok()) error_ = std::move(what), error_at_ = std::min(at, text_.size());
  }
  // The text, with a mark in front of the place.
  std::string quoted() const {
    const size_t from = error_at_ > 60 ? error_at_ - 60 : 0;
    return std::string(text_.substr(from, error_at_ - from)) + " >>> " + std::string(text_.substr(error_at_, 60));
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
  size_t error_at_ = 0;
  Expression expression_;
};

base::Result<Expression> Expression::parse(std::string_view text) { return ExpressionParser(text).parse(); }

}  // namespace jrec
