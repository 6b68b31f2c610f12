// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/colour.h"

#include <cstdlib>

#include "jrec/base/terminal.h"

namespace jrec {
namespace {

ColourWhen when_wanted = ColourWhen::kAuto;

bool are_refused() {
  const char* const refused = std::getenv("NO_COLOR");
  return refused != nullptr && *refused != '\0';
}

const char* begin_of(Colour colour) {
  switch (colour) {
    case Colour::kBold: return "\x1b[1m";
    case Colour::kRed: return "\x1b[31m";
  }
  return "";
}

}  // namespace

void set_colours(ColourWhen when) { when_wanted = when; }

void keep_colours_off() {
  if (when_wanted == ColourWhen::kAuto) when_wanted = ColourWhen::kNever;
}

bool colours() {
  if (when_wanted != ColourWhen::kAuto) return when_wanted == ColourWhen::kAlways;
  static const bool shown = terminal_takes_escapes() && !are_refused();
  return shown;
}

std::string coloured(Colour colour, std::string_view text) {
  if (!colours()) return std::string(text);
  const std::string_view end = text.ends_with('\n') ? "\n" : "";
  text.remove_suffix(end.size());
  return begin_of(colour) + std::string(text) + "\x1b[0m" + std::string(end);
}

}  // namespace jrec
