// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/run_marks.h"

#include <string_view>

namespace jrec {
namespace {

// How many of the last characters are in the set.
size_t trailing(std::string_view text, std::string_view set) {
  const size_t last = text.find_last_not_of(set);
  return last == std::string_view::npos ? text.size() : text.size() - last - 1;
}

// .648129364, behind an address; JFR writes a slash.
size_t hash_size(std::string_view name) {
  const size_t digits = trailing(name, "0123456789");
  if (digits == 0 || digits == name.size()) return 0;
  const char before = name[name.size() - digits - 1];
  return before == '.' || before == '/' ? digits + 1 : 0;
}

// +0x00007fd1a0000a08; also behind a point or a slash.
size_t address_size(std::string_view name) {
  constexpr size_t kFewestDigits = 8;
  const size_t digits = trailing(name, "0123456789abcdef");
  if (digits < kFewestDigits || digits + 3 >= name.size()) return 0;
  const std::string_view front = name.substr(0, name.size() - digits);
  const bool is_address = front.ends_with("+0x") || front.ends_with(".0x") || front.ends_with("/0x");
  return is_address ? digits + 3 : 0;
}

}  // namespace

void drop_run_marks(std::string& name) {
  const size_t hash = hash_size(name), address = address_size(std::string_view(name).substr(0, name.size() - hash));
  name.resize(name.size() - (address != 0 ? hash + address : address_size(name)));
  const std::string_view front(name.data(), name.size() - trailing(name, "0123456789"));
  if (front.size() == name.size()) return;
  if (front.ends_with("$$Lambda$"))
    name.resize(front.size() - 1);
  else if (front.ends_with("/GeneratedMethodAccessor") || front.ends_with("/GeneratedConstructorAccessor") ||
           front.ends_with(".GeneratedMethodAccessor") || front.ends_with(".GeneratedConstructorAccessor"))
    name.resize(front.size());
}

}  // namespace jrec
