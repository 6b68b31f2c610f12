// SPDX-License-Identifier: Apache-2.0
// AgentOptions writes the text that the agent takes apart (docs/options.md): `start,interval=5ms,filename=/x/a.jfr`.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace jrec {

class AgentOptions {
 public:
  explicit AgentOptions(std::string_view command) : text_(command) {}

  // Adds KEY=VALUE, the value quoted as it needs. The values that cannot be quoted end in a backslash and hold both
  // kinds of quotes.
  base::Status add(std::string_view key, std::string_view value);
  // Adds a key alone.
  void add(std::string_view key);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct KeyValue {
  std::string key;
  std::string value;
  bool alone = false;  // there is no value
};

// Takes "key=value" apart, or "key", which for some options is enough: the agent knows which. An error for what can be no
// key, and for the keys that are ours to choose.
base::Result<KeyValue> parse_key_value(const std::string& word);

// Whether the value of an option is a path of a file or directory.
bool is_path_option(std::string_view key);

// A relative path made absolute by our working directory. `%` in the latter is doubled: the agent fills in patterns.
std::string absolute_pattern(const std::string& path);

}  // namespace jrec
