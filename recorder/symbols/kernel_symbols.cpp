// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/kernel_symbols.h"

#include <algorithm>
#include <charconv>

#include "base/small_file.h"
#include "base/text_lines.h"

namespace rec {
namespace {

constexpr char kPath[] = "/proc/kallsyms";
constexpr size_t kMostText = 64u << 20;
constexpr size_t kFewLines = 4096;  // bytes
constexpr std::string_view kCode = "tTwW";

// "ffffffff81000000 T _stext", and for a module's "\t[ext4]" behind it.
struct Line {
  uint64_t address = 0;
  char kind = 0;
  std::string_view name;
};

Line parse(std::string_view text) {
  Line line;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line.address, 16);
  const auto at = static_cast<size_t>(end - text.data());
  if (error != std::errc() || at + 4 > text.size()) return {};
  line.kind = text[at + 1];
  line.name = text.substr(at + 3, text.find('\t') - at - 3);
  return line;
}

}  // namespace

std::string boot_id() {
  std::string id = base::read_small_file("/proc/sys/kernel/random/boot_id").value_or("");
  std::erase_if(id, [](char c) { return c == '-' || c == '\n'; });
  return id;
}

// Whom they are hidden from sees zeros.
bool KernelSymbols::are_readable() {
  bool any = false;
  base::each_line(base::read_small_file(kPath, kFewLines).value_or(""),
                  [&](std::string_view line) { any |= parse(line).address != 0; });
  return any;
}

KernelSymbols::KernelSymbols(std::string_view text) {
  base::each_line(text, [&](std::string_view each) {
    const Line line = parse(each);
    if (line.address <= kBegin || kCode.find(line.kind) == kCode.npos || line.name.empty()) return;
    functions_.push_back({static_cast<uint32_t>(line.address - kBegin), static_cast<uint32_t>(names_.size())});
    names_.append(line.name).push_back('\0');
  });
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const Function& a, const Function& b) { return a.begin < b.begin; });
}

std::string KernelSymbols::name_of(uint64_t place) const {
  if (place == kNotNamed || functions_.empty()) return "[no symbols]";
  const auto behind = std::upper_bound(functions_.begin(), functions_.end(), place,
                                       [](uint64_t at, const Function& function) { return at < function.begin; });
  return place == 0 || behind == functions_.begin() ? "[unknown]" : names_.data() + std::prev(behind)->name_at;
}

KernelSymbols kernel_symbols(std::string_view of_boot) {
  if (of_boot != boot_id() || !KernelSymbols::are_readable()) return {};
  return KernelSymbols(base::read_small_file(kPath, kMostText).value_or(""));
}

}  // namespace rec
