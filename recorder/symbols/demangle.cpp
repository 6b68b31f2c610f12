// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "recorder/symbols/rust_symbol.h"

namespace rec {
namespace {

constexpr size_t kLongest = 400;  // templates of templates: who reads on?
constexpr size_t kRustHash = sizeof "::h0123456789abcdef" - 1;

// "f.part.0.cold" -> "f", and "dlsym@@GLIBC_2.34" -> "dlsym". Names of other languages may have dots of their own.
std::string_view without_clones(std::string_view name) {
  constexpr std::string_view kClones[] = {".part.", ".isra.",      ".constprop.", ".cold", ".lto_priv.",
                                          ".llvm.", ".localalias", ".resolver",   ".warm", ".hot"};
  size_t end = std::min(name.find('@'), name.size());
  for (const std::string_view each : kClones) end = std::min(end, name.find(each));
  return end == 0 ? name : name.substr(0, end);
}

bool ends_with_rust_hash(std::string_view name) {
  if (name.size() <= kRustHash) return false;
  const std::string_view hash = name.substr(name.size() - kRustHash);
  return hash.starts_with("::h") && hash.find_first_not_of("0123456789abcdef", 3) == hash.npos;
}

// "f(int, g(char)) const" -> "f". "(anonymous namespace)::f" and "operator()" keep their parentheses.
void drop_parameters(std::string& name) {
  const size_t close = name.rfind(')');
  if (close == name.npos) return;
  const std::string_view behind = std::string_view(name).substr(close + 1);
  if (behind.find_first_not_of(" &constvolatile") != behind.npos) return;
  size_t open = close;
  for (int depth = 0;; --open) {
    depth += name[open] == ')' ? 1 : name[open] == '(' ? -1 : 0;
    if (depth == 0) break;
    if (open == 0) return;
  }
  if (open == 0 || std::string_view(name).substr(0, open).ends_with("operator")) return;
  name.resize(open);
}

// "void f<int>" -> "f<int>": of templates the type is a part of the name. Operators may be angle brackets.
void drop_result(std::string& name) {
  if (name.find("operator") != name.npos) return;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(' || name[i] == '{') ++depth;
    if (name[i] == '>' || name[i] == ')' || name[i] == '}') --depth;
    if (name[i] == ' ' && depth == 0) begin = i + 1;
  }
  name.erase(0, begin);
}

}  // namespace

std::string readable_name(std::string_view symbol) {
  std::string name(without_clones(symbol));
  if (name.starts_with("_Z")) {
    int status = 0;
    char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    if (status == 0 && text != nullptr) {
      name = text;
      drop_parameters(name);
      drop_result(name);
      if (ends_with_rust_hash(name)) name.resize(name.size() - kRustHash);
    }
    std::free(text);
  }
  if (const std::optional<std::string> rust = rust_name(name)) name = *rust;
  if (name.size() > kLongest) name.replace(kLongest, name.npos, "...");
  return name;
}

}  // namespace rec
