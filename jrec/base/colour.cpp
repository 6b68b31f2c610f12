// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/colour.h"

#include <unistd.h>

#include <cstdlib>

namespace jrec {
namespace {

ColourWhen when_wanted = ColourWhen::kAuto;

bool terminal_shows_them() {
  const char* const kind = std::getenv("TERM");
  const char* const refused = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb" &&
         (refused == nullptr || *refused == '\0');
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
  static const bool shows = terminal_shows_them();
  return shows;
}

std::string coloured(Colour colour, std::string_view text) {
  if (!colours()) return std::string(text);
  const std::string_view end = text.ends_with('\n') ? "\n" : "";
  text.remove_suffix(end.size());
  return begin_of(colour) + std::string(text) + "\x1b[0m" + std::string(end);
}

}  // namespace jrec
