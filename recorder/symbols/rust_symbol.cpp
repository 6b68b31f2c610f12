// SPDX-License-Identifier: Apache-2.0
// The grammar of RFC 2603, a function for each of its rules.
#include "recorder/symbols/rust_symbol.h"

#include <algorithm>
#include <array>

#include "recorder/symbols/rust_parser.h"

namespace rec {
namespace {

constexpr unsigned kDeepestName = 100;
constexpr size_t kLongestRustName = 2000;  // further on nobody reads, and repetitions of repetitions end

std::string_view basic_type(char letter) {
  // By letter; empty: it begins something else.
  constexpr std::array<std::string_view, 26> kNames = {
      "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
      "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!"};
  return letter >= 'a' && letter <= 'z' ? kNames[static_cast<size_t>(letter - 'a')] : std::string_view();
}

class RustName {
 public:
  explicit RustName(std::string_view text) : in_(text) {}

  std::optional<std::string> read() {
    path(true);
    if (in_.peek() >= 'A' && in_.peek() <= 'Z') unsaid([this] { path(false); });  // who made the instance
    const bool ends = in_.at_end() || in_.peek() == '.' || in_.peek() == '$';     // a suffix of other tools
    if (out_.size() > kLongestRustName) return std::move(out_);
    if (in_.failed() || !ends) return {};
    return std::move(out_);
  }

 private:
  // Reads without writing.
  template <typename Read>
  void unsaid(Read read) {
    ++silent_;
    read();
    --silent_;
  }
  void say(std::string_view text) {
    if (silent_ > 0) return;
    if (out_.size() > kLongestRustName) return in_.fail();
    out_ += text;
  }

  // One level further in; fails where that is too deep.
  class Level {
   public:
    explicit Level(RustName& name) : name_(name) {
      if (++name_.depth_ > kDeepestName) name_.in_.fail();
    }
    ~Level() { --name_.depth_; }

   private:
    RustName& name_;
  };

  // Calls read() where a reference leads, and goes on behind it. What is not written need not be read again.
  template <typename Read>
  void follow(Read read) {
    const size_t to = in_.reference(), back = in_.at();
    if (in_.failed() || silent_ > 0) return;
    in_.go_to(to);
    read();
    in_.go_to(back);
  }

  // Items up to "E", with that between them. How many.
  template <typename Item>
  size_t list(std::string_view between, Item item) {
    size_t count = 0;
    for (; !in_.failed() && !in_.eat('E'); ++count) {
      if (count > 0) say(between);
      item();
    }
    return count;
  }

  void path(bool in_value) {
    const Level level(*this);
    switch (in_.next()) {
      case 'C': in_.tagged('s'); return say(in_.identifier());
      case 'N': return nested(in_value);
      case 'M': impl_path(); return self(false);
      case 'X': impl_path(); return self(true);
      case 'Y': return self(true);
      case 'I': return instance(in_value);
      case 'B': return follow([&] { path(in_value); });
      default: return in_.fail();
    }
  }

  void impl_path() {
    in_.tagged('s');
    unsaid([this] { path(false); });
  }

  void self(bool of_trait) {
    say("<");
    type();
    if (of_trait) say(" as "), path(false);
    say(">");
  }

  void nested(bool in_value) {
    const char space = in_.next();
    const bool is_inner = space >= 'a' && space <= 'z';
    if (!is_inner && !(space >= 'A' && space <= 'Z')) return in_.fail();
    path(in_value);
    const uint64_t number = in_.tagged('s');
    const std::string name = in_.identifier();
    if (is_inner) return name.empty() ? void() : say("::" + name);
    const std::string kind = space == 'C' ? "closure" : space == 'S' ? "shim" : std::string(1, space);
    say("::{" + kind + (name.empty() ? "" : ':' + name) + '#' + std::to_string(number) + '}');
  }

  void instance(bool in_value) {
    path(in_value);
    say(in_value ? "::<" : "<");
    list(", ", [this] { generic_argument(); });
    say(">");
  }

  void generic_argument() {
    if (in_.eat('L')) return lifetime(in_.base62());
    in_.eat('K') ? constant() : type();
  }

  // By the number of binders between it and its own.
  void lifetime(uint64_t index) {
    if (index == 0) return say("'_");
    if (index > lifetimes_) return in_.fail();
    const uint64_t depth = lifetimes_ - index;
    say(depth < 26 ? std::string("'") + static_cast<char>('a' + depth) : "'_" + std::to_string(depth));
  }

  // Calls read() with the lifetimes that "G" binds.
  template <typename Read>
  void bound(Read read) {
    constexpr uint64_t kMostLifetimes = 64;
    const uint64_t before = lifetimes_, count = in_.tagged('G');
    if (count > kMostLifetimes) return in_.fail();
    if (count > 0) say("for<");
    for (uint64_t i = 0; i < count; ++i) {
      ++lifetimes_;
      if (i > 0) say(", ");
      lifetime(1);
    }
    if (count > 0) say("> ");
    read();
    lifetimes_ = before;
  }

  void type() {
    const Level level(*this);
    const char letter = in_.peek();
    if (const std::string_view name = basic_type(letter); !name.empty()) return in_.next(), say(name);
    if (std::string_view("CNMXYI").find(letter) != std::string_view::npos && letter != '\0') return path(false);
    switch (in_.next()) {
      case 'R': return reference_type("");
      case 'Q': return reference_type("mut ");
      case 'P': say("*const "); return type();
      case 'O': say("*mut "); return type();
      case 'S': say("["), type(); return say("]");
      case 'A': say("["), type(), say("; "), constant(); return say("]");
      case 'T': return tuple();
      case 'F': return bound([this] { function(); });
      case 'D': return trait_object();
      case 'B': return follow([this] { type(); });
      default: return in_.fail();
    }
  }

  void reference_type(std::string_view mutability) {
    say("&");
    if (in_.eat('L'))
      if (const uint64_t index = in_.base62(); index != 0) lifetime(index), say(" ");
    say(mutability);
    type();
  }

  void tuple() {
    say("(");
    if (list(", ", [this] { type(); }) == 1) say(",");
    say(")");
  }

  void function() {
    if (in_.eat('U')) say("unsafe ");
    if (in_.eat('K')) {
      std::string abi = in_.eat('C') ? "C" : in_.identifier();
      std::replace(abi.begin(), abi.end(), '_', '-');
      say("extern \"" + abi + "\" ");
    }
    say("fn(");
    list(", ", [this] { type(); });
    say(")");
    if (!in_.eat('u')) say(" -> "), type();
  }

  void trait_object() {
    say("dyn ");
    bound([this] { list(" + ", [this] { trait(); }); });
    if (!in_.eat('L')) return in_.fail();
    if (const uint64_t index = in_.base62(); index != 0) say(" + "), lifetime(index);
  }

  // Its types stand among the path's own arguments: Iterator<Item = u8>.
  void trait() {
    bool open = open_path();
    while (in_.eat('p')) {
      say(open ? ", " : "<");
      open = true;
      say(in_.identifier() + " = ");
      type();
    }
    if (open) say(">");
  }

  // A path whose last ">" is left to who called. True: there is one to come.
  bool open_path() {
    const Level level(*this);
    if (in_.eat('B')) {
      bool open = false;
      follow([&] { open = open_path(); });
      return open;
    }
    if (!in_.eat('I')) return path(false), false;
    path(false);
    say("<");
    list(", ", [this] { generic_argument(); });
    return true;
  }

  void constant() {
    const Level level(*this);
    const char letter = in_.next();
    if (letter == 'p') return say("_");
    if (letter == 'B') return follow([this] { constant(); });
    if (letter == 'b' || letter == 'c') return letter_or_truth(letter);
    if (std::string_view("ahijlmnostxy").find(letter) == std::string_view::npos) return in_.fail();
    if (in_.eat('n')) say("-");
    number(in_.hexadecimal());
  }

  void number(std::string_view digits) {
    if (digits.size() > 16) return say("0x" + std::string(digits));
    say(std::to_string(value_of(digits)));
  }

  void letter_or_truth(char type) {
    const std::string_view digits = in_.hexadecimal();
    const uint64_t value = digits.size() > 6 ? UINT32_MAX : value_of(digits);
    if (type == 'b') return value > 1 ? in_.fail() : say(value == 1 ? "true" : "false");
    if (value < 0x20 || value > 0x7e) return say("'\\u{" + std::string(digits) + "}'");
    say(std::string("'") + (value == '\'' || value == '\\' ? "\\" : "") + static_cast<char>(value) + '\'');
  }

  static uint64_t value_of(std::string_view digits) {
    uint64_t value = 0;
    for (const char each : digits)
      value = value << 4 | static_cast<uint64_t>(each <= '9' ? each - '0' : each - 'a' + 10);
    return value;
  }

  RustParser in_;
  std::string out_;
  unsigned silent_ = 0, depth_ = 0;
  uint64_t lifetimes_ = 0;  // bound at this place
};

}  // namespace

std::optional<std::string> rust_name(std::string_view symbol) {
  if (!symbol.starts_with("_R")) return {};
  return RustName(symbol.substr(2)).read();
}

}  // namespace rec
