// SPDX-License-Identifier: Apache-2.0
#include "jrec/http/object_list.h"

#include <charconv>
#include <optional>
#include <utility>

#include "jrec/http/remote_address.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

Error no_listing(const char* what) { return Error{ErrorCode::kCorrupt, 0, what}; }

// Takes the next <NAME>...</NAME> from the text, and gives what is in it.
std::optional<std::string_view> take_element(std::string_view& xml, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
  const size_t begin = xml.find(open), end = begin == xml.npos ? xml.npos : xml.find(close, begin + open.size());
  if (end == xml.npos) return std::nullopt;
  const std::string_view inside = xml.substr(begin + open.size(), end - begin - open.size());
  xml.remove_prefix(end + close.size());
  return inside;
}

constexpr std::pair<std::string_view, char> kEntities[] = {
    {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};

// The character that an entity at the begin of the text stands for; takes it. Of numbers those of one byte.
std::optional<char> take_entity(std::string_view& text) {
  for (const auto& [entity, character] : kEntities)
    if (text.starts_with(entity)) return text.remove_prefix(entity.size()), character;
  const size_t end = text.find(';');
  if (!text.starts_with("&#") || end == text.npos) return std::nullopt;
  const bool hexadecimal = text.substr(2).starts_with('x');
  const char *const first = text.data() + (hexadecimal ? 3 : 2), *const last = text.data() + end;
  unsigned number = 0;
  const auto [stop, wrong] = std::from_chars(first, last, number, hexadecimal ? 16 : 10);
  if (wrong != std::errc() || stop != last || number == 0 || number > 0x7f) return std::nullopt;
  text.remove_prefix(end + 1);
  return static_cast<char>(number);
}

std::optional<std::string> plain_text(std::string_view xml) {
  std::string text;
  while (!xml.empty()) {
    if (xml.front() != '&') {
      text += xml.front();
      xml.remove_prefix(1);
    } else if (const auto character = take_entity(xml)) {
      text += *character;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

std::string query_escaped(const std::string& text) {
  std::string escaped = key_escaped(text);
  for (size_t at = 0; (at = escaped.find('/', at)) != std::string::npos;) escaped.replace(at, 1, "%2F");
  return escaped;
}

}  // namespace

Result<ObjectPage> ObjectPage::of(std::string_view xml, const std::string& prefix) {
  ObjectPage page;
  if (xml.find("<ListBucketResult") == xml.npos) return no_listing("the object store gives no listing");
  if (xml.find("</ListBucketResult>") == xml.npos)
    return no_listing("the object store gives a listing that is cut off");
  std::string_view rest = xml;
  if (const auto next = take_element(rest, "NextContinuationToken")) {
    const auto token = plain_text(*next);
    if (!token) return no_listing("the object store gives a listing that cannot be read");
    page.next = *token;
  }
  rest = xml;
  const auto truncated = take_element(rest, "IsTruncated");
  if (truncated && *truncated == "true" && page.next.empty())
    return no_listing("the object store says that its listing goes on, and not where");
  rest = xml;
  while (auto contents = take_element(rest, "Contents")) {
    const auto element = take_element(*contents, "Key");
    const auto key = element ? plain_text(*element) : std::nullopt;
    if (!key || !key->starts_with(prefix)) return no_listing("the object store lists what was not asked for");
    page.keys.push_back(*key);
  }
  return page;
}

std::string list_query(const std::string& prefix, const std::string& after) {
  return (after.empty() ? "?" : "?continuation-token=" + query_escaped(after) + "&") +
         "list-type=2&prefix=" + query_escaped(prefix);
}

}  // namespace jrec
