// SPDX-License-Identifier: Apache-2.0
// Each ordered access to an atomic names the other side: "pairs with the release in drain()".
#include <doctest/doctest.h>

#include <sstream>

#include "tests/house/house.h"

namespace {

using namespace test;

using SourceLines = std::vector<std::string>;

SourceLines source_lines(const std::string& text) {
  SourceLines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

size_t indentation(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }
bool is_blank(const std::string& line) { return indentation(line) == line.size(); }
bool is_comment(const std::string& line) { return line.compare(indentation(line), 2, "//") == 0; }
std::string code_in(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}
std::string comment_of(const std::string& line) {
  const size_t at = line.find("//");
  return at == std::string::npos ? "" : line.substr(at + 2);
}

// The order of the access in a line, "release"; empty if there is none, or it is relaxed.
std::string order_of(const std::string& line) {
  const std::string code = code_in(line);
  for (const char* order : {"acquire", "release", "acq_rel", "seq_cst"}) {
    for (const char* prefix : {"memory_order_", "memory_order::"}) {
      if (code.find(std::string(prefix) + order) != std::string::npos) return order;
    }
  }
  return "";
}

bool names_pair(const std::string& comment) {
  return comment.find("pairs with") != std::string::npos || comment.find("Pairs with") != std::string::npos;
}

// The comment that stands right above a line.
std::string comment_above(const SourceLines& lines, size_t at) {
  std::string text;
  while (at > 0 && is_comment(lines[at - 1])) text.insert(0, comment_of(lines[--at]));
  return text;
}

// Where the statement begins that goes on in this line.
size_t statement_of(const SourceLines& lines, size_t at) {
  const auto ends_one = [&](const std::string& line) {
    const std::string code = code_in(line);
    return is_blank(line) || is_comment(line) || code.ends_with(';') || code.ends_with('{') || code.ends_with('}') ||
           code.ends_with("else") || code.ends_with(':');
  };
  while (at > 0 && !ends_one(lines[at - 1])) --at;
  return at;
}

bool opens_type(const std::string& line) {
  for (const char* word : {"class ", "struct ", "namespace ", "union "}) {
    if (code_in(line).compare(indentation(line), std::string(word).size(), word) == 0) return true;
  }
  return false;
}

// A comment further up in the same paragraph speaks of this access too if it names its order and says so ("acquire, both: pairs with"), or
// if what it stands above has another order.
bool speaks_further(const std::string& comment, const std::string& order, const std::string& under_it) {
  if (!names_pair(comment) || comment.find(order) == std::string::npos) return false;
  for (const char* word : {"both", "all ", "each", "below"}) {
    if (comment.find(word) != std::string::npos) return true;
  }
  return order_of(under_it) != order;
}

bool is_said_in_paragraph(const SourceLines& lines, size_t begin, const std::string& order) {
  for (size_t at = begin; at > 0 && !is_blank(lines[at - 1]); --at) {
    if (indentation(lines[at - 1]) < indentation(lines[begin])) return false;
    if (is_comment(lines[at - 1]) && speaks_further(comment_above(lines, at), order, lines[at])) return true;
  }
  return false;
}

// Is it said beside the access, in its statement, above it, or above whatever it stands in, up to its function?
bool is_said(const SourceLines& lines, size_t at) {
  const std::string order = order_of(lines[at]);
  for (size_t end = at;;) {
    const size_t begin = statement_of(lines, at);
    std::string said = comment_above(lines, begin);
    for (size_t i = begin; i <= end; ++i) said += comment_of(lines[i]);
    if (names_pair(said) || is_said_in_paragraph(lines, begin, order)) return true;
    // Outwards: the statement that encloses this one begins further left, and ends in a brace.
    size_t outer = begin;
    const auto encloses = [&](size_t line) {
      return code_in(lines[line]).ends_with('{') &&
             indentation(lines[statement_of(lines, line)]) < indentation(lines[begin]);
    };
    while (outer > 0 && !encloses(outer - 1)) --outer;
    if (outer == 0 || opens_type(lines[statement_of(lines, outer - 1)])) return false;
    at = end = outer - 1;
  }
}

Faults check_pairs(const Sources& sources) {
  static const NameSet kWhere = {"base", "format", "recorder", "recover", "agent", "jrec"};
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_cpp(path) || kWhere.count(folder(path)) == 0) continue;
    const SourceLines lines = source_lines(text);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (!order_of(lines[i]).empty() && !is_said(lines, i))
        faults.push_back(path + ":" + std::to_string(i + 1) + " does not say what it pairs with");
    }
  }
  return faults;
}

size_t pair_faults_of(const std::string& text) { return check_pairs({{"recorder/a.h", text}}).size(); }

}  // namespace

TEST_CASE("house: each ordered access says what it pairs with") { CHECK_RULE(check_pairs); }

TEST_CASE("house: an ordered access is believed when something near it says what it pairs with") {
  CHECK(pair_faults_of("a.store(1, std::memory_order_release);  // pairs with b()\n") == 0);
  CHECK(pair_faults_of("// release: pairs\n// with b()\na.store(1, std::memory_order_release);\n") == 0);
  CHECK(
      pair_faults_of(
          "// It pairs with b().\nvoid f() {\n  int b = 1;\n\n  if (b) {\n    a.store(b, std::memory_order_release);\n"
          "  }\n}\n") == 0);
  CHECK(pair_faults_of(
            "// It pairs with b().\nvoid f(int b,\n       int c) {\n  a.store(b, std::memory_order_release);\n}\n") ==
        0);
  CHECK(pair_faults_of("// pairs with b()\nint x =\n    a.load(\n        std::memory_order_acquire);\n") == 0);
  CHECK(pair_faults_of("// acquire, both: pairs with c()\nint b = a.load(std::memory_order_acquire);\n"
                       "if (b) b = a.load(std::memory_order_acquire);\n") == 0);
  CHECK(pair_faults_of("// release: pairs with b(). seq_cst: pairs with c().\na.store(1, std::memory_order_release);\n"
                       "a.store(1, std::memory_order_seq_cst);\n") == 0);
  CHECK(pair_faults_of("a.store(1, std::memory_order_relaxed);\n") == 0);
  CHECK(pair_faults_of("// memory_order_release\n") == 0);
}

TEST_CASE("house: an ordered access of which nothing near says what it pairs with is found") {
  CHECK(check_pairs({{"agent/a.cpp", "a.load(std::memory_order_acquire);\n"}}) ==
        Faults{"agent/a.cpp:1 does not say what it pairs with"});
  CHECK(pair_faults_of("a.load(\n    std::memory_order_acquire);\n") == 1);
  CHECK(pair_faults_of("a.load(std::memory_order::seq_cst);\n") == 1);
  CHECK(pair_faults_of("// release: pairs with b()\na.store(1, std::memory_order_release);\n"
                       "a.store(2, std::memory_order_release);\n") == 1);
  CHECK(pair_faults_of("b = 1;  // pairs with c()\na.load(std::memory_order_acquire);\n") == 1);
  CHECK(pair_faults_of("// pairs with b()\n\na.load(std::memory_order_acquire);\n") == 1);
  CHECK(pair_faults_of(
            "// It pairs with b().\nclass A {\n  int f() { return a.load(std::memory_order_acquire); }\n};\n") == 1);
  CHECK(pair_faults_of(
            "// pairs with b()\nvoid f() {\n  b();\n}\nvoid g() {\n  a.load(std::memory_order_acquire);\n}\n") == 1);
  CHECK(pair_faults_of("void f() {\n  // pairs with b()\n  b();\n  a.load(std::memory_order_acquire);\n}\n") == 1);
}
