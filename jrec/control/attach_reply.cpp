// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/attach_reply.h"

#include <charconv>

namespace jrec {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\0';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace

std::optional<AttachReply> parse_attach_reply(std::string_view bytes) {
  constexpr std::string_view kReturnCode = "return code: ";
  const size_t line_end = bytes.find('\n');
  if (line_end == std::string_view::npos) return std::nullopt;
  const auto status = whole_number(bytes.substr(0, line_end));
  if (!status) return std::nullopt;
  AttachReply reply;
  reply.status = *status;
  reply.text = on_one_line(bytes.substr(line_end + 1));
  std::string_view code = reply.text;
  if (code.starts_with(kReturnCode)) code.remove_prefix(kReturnCode.size());
  reply.return_code = whole_number(code);
  return reply;
}

}  // namespace jrec
