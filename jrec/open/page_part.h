// SPDX-License-Identifier: Apache-2.0
// PagePart is a time of a recording that the browser asks for by itself, for its finer steps and all of its stacks:
//
//   part/1700479342164-1700479345000    milliseconds since the Unix epoch
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jrec {

struct PagePart {
  static constexpr std::string_view kPath = "part/";
  static constexpr uint64_t kLast_ms = 9'000'000'000'000;  // of the times that a recording may tell, in nanoseconds

  uint64_t from_ms = 0, to_ms = 0;

  // Of the path behind the token. Nothing: it is no such path, or no time lies between.
  static std::optional<PagePart> of(std::string_view path) {
    if (!path.starts_with(kPath)) return std::nullopt;
    path.remove_prefix(kPath.size());
    PagePart part;
    if (!take_number(path, part.from_ms) || !path.starts_with('-')) return std::nullopt;
    path.remove_prefix(1);
    const bool whole = take_number(path, part.to_ms) && path.empty();
    return whole && part.from_ms < part.to_ms && part.to_ms < kLast_ms ? std::optional(part) : std::nullopt;
  }

  friend bool operator==(const PagePart&, const PagePart&) = default;

 private:
  static bool take_number(std::string_view& text, uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return error == std::errc();
  }
};

}  // namespace jrec
