// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever a user types as options or a file name, and whatever a command line holds, the agent's
// parser must neither crash, nor hang, nor let a secret through.   fuzz_options -max_len=1024 CORPUS SEEDS
//
// The first byte chooses what the rest is: options, a pattern of a file name, a command line, or a secret to be hidden.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "agent/options/filename.h"
#include "agent/options/options.h"
#include "base/redact.h"
#include "base/redact_arguments.h"
#include "base/secret_key.h"

namespace {

using namespace rec::agent;

// No expansion makes more of a text than this many times its length, and this much.
constexpr size_t kLargestGrowth = 64, kLargestExtra = 1024;

void must(bool holds) {
  if (!holds) std::abort();
}

FilenameFacts facts() {
  FilenameFacts facts;
  facts.pid = 4711;
  facts.now = 1'700'000'000;
  facts.environment = [](const char* name) { return name[0] == 'H' ? "home" : nullptr; };
  facts.modified_ns = [](const std::string& path) { return path.size() % 3 == 0 ? int64_t(path.size()) : int64_t(-1); };
  facts.is_directory = [](const std::string& path) { return path.ends_with("dir"); };
  return facts;
}

void try_filename(std::string_view pattern) {
  const std::string name = expand_filename(pattern, facts());
  must(name.size() <= pattern.size() * kLargestGrowth + kLargestExtra);
  must(default_repository(name).size() > name.size());
}

void try_options(std::string_view text) {
  bool exit_on_error = false;
  auto parsed = parse_options(text, &exit_on_error);
  if (!parsed) {
    must(!parsed.error().what.empty());
    const std::string line = refusal_line(parsed.error(), exit_on_error);
    must(line.starts_with("rec: ") && line.find('\n') == std::string::npos);
    return;
  }
  const Options* options = &parsed.value();
  must(options->period_ns > 0 && options->stack_depth > 0 && options->flush_interval_ns > 0);
  must(options->max_age_ns >= 0 && options->duration_ns >= 0 && options->delay_ns >= 0);
  try_filename(options->filename);
}

void try_arguments(std::string_view text) {
  for (const base::ArgumentKind kind : {base::ArgumentKind::kProgram, base::ArgumentKind::kJvm}) {
    const std::string once = base::redact_arguments(text, kind);
    must(once.size() <= text.size() * kLargestGrowth + kLargestExtra);
  }
  const size_t cut = text.find('=');
  if (cut == std::string_view::npos) return;
  const std::string_view key = text.substr(0, cut), value = text.substr(cut + 1);
  const std::string property = base::redact_property(key, value);
  if (base::is_secret_key(key) && !value.empty())
    must(property.find(value) == std::string::npos || base::kRedacted.find(value) != std::string_view::npos);
}

// A value under a key that tells what it is, between arguments that a stranger chose: it may not be found afterwards.
void try_secret(std::string_view before) {
  constexpr std::string_view kSecret = "hunter2HUNTER2";
  if (before.find(kSecret) != std::string_view::npos) return;
  // A quote that stays open makes the rest a part of what is quoted.
  if (std::count(before.begin(), before.end(), '"') % 2 != 0 || std::count(before.begin(), before.end(), '\'') % 2 != 0)
    return;
  const std::string text = std::string(before) + " -Ddb.password=" + std::string(kSecret);
  must(base::redact_arguments(text, base::ArgumentKind::kJvm).find(kSecret) == std::string::npos);
  must(base::redact_arguments(text, base::ArgumentKind::kProgram).find(kSecret) == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'f': try_filename(text); break;
    case 'a': try_arguments(text); break;
    case 's': try_secret(text); break;
    default: try_options(text);
  }
  return 0;
}
