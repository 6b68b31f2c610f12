// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/function_table.h"

#include <elf.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace rec {
namespace {

constexpr size_t kMostFunctions = 1u << 20;  // of a library: 12 MB
constexpr uint64_t kLargestVdso = 64u << 10;
constexpr std::string_view kVdso = "[vdso]";

// The kernel's library has no file; all of it lies in memory, and the table of its sections at the end.
std::span<const uint8_t> vdso() {
  const auto* begin = reinterpret_cast<const uint8_t*>(getauxval(AT_SYSINFO_EHDR));
  if (begin == nullptr) return {};
  Elf64_Ehdr header;
  std::memcpy(&header, begin, sizeof header);
  const uint64_t size = header.e_shoff + uint64_t{header.e_shnum} * header.e_shentsize;
  return {begin, size <= kLargestVdso ? size : 0};
}

ElfSymbols symbols_of(const std::string& path) { return path == kVdso ? ElfSymbols(vdso()) : ElfSymbols(path.c_str()); }

// Of several names of one function: "malloc" and not "__libc_malloc".
bool reads_better(std::string_view name, std::string_view other) {
  const size_t underscores = std::min(name.find_first_not_of('_'), name.size());
  const size_t others = std::min(other.find_first_not_of('_'), other.size());
  return underscores != others ? underscores < others : name.size() < other.size();
}

}  // namespace

std::string debug_file(std::string_view directory, std::string_view build_id) {
  const bool is_one = build_id.size() >= 4 && build_id.find_first_not_of("0123456789abcdef") == build_id.npos;
  if (!is_one) return {};
  return std::string(directory) + "/.build-id/" + std::string(build_id.substr(0, 2)) + '/' +
         std::string(build_id.substr(2)) + ".debug";
}

FunctionTable::FunctionTable(const std::string& path, std::string_view build_id, const std::string& mapped,
                             const base::FileIdentity& identity) {
  using Which = ElfSymbols::Which;
  const Build build{build_id, identity};
  std::vector<std::string> files = {path};
  if (!build_id.empty()) files.push_back(debug_file("/usr/lib/debug", build_id));
  if (!build_id.empty() || identity) files.push_back(mapped);
  const auto any = [&](Which which) {
    return std::ranges::any_of(files, [&](const std::string& file) { return take(file, build, which); });
  };
  has_all_ = any(Which::kAll);
  if (!has_all_) any(Which::kLinker);
}

FunctionTable::FunctionTable(ElfSymbols symbols) {
  has_all_ = take(symbols, ElfSymbols::Which::kAll);
  kept_ = std::move(symbols);
}

bool FunctionTable::take(const std::string& path, const Build& build, ElfSymbols::Which which) {
  if (path.empty()) return false;
  const ElfSymbols symbols = symbols_of(path);
  if (!build.id.empty() && symbols.build_id() != build.id) return false;
  if (build.id.empty() && build.identity && !symbols.is(build.identity)) return false;
  if (!take(symbols, which)) return false;
  file_ = path;
  stamp_ = symbols.stamp();
  return true;
}

bool FunctionTable::take(const ElfSymbols& symbols, ElfSymbols::Which which) {
  base::MappedVector<Function> all;
  const bool has_table = symbols.each(
      [&](const ElfSymbols::Symbol& symbol) {
        const uint64_t size = symbol.size != 0 ? symbol.size : symbol.most;
        if (!symbol.is_function || symbol.value > UINT32_MAX || size > UINT32_MAX - symbol.value ||
            symbol.name_at > UINT32_MAX)
          return true;
        all.push_back(
            {static_cast<uint32_t>(symbol.value), static_cast<uint32_t>(size), static_cast<uint32_t>(symbol.name_at)});
        return all.size() < kMostFunctions;
      },
      which);
  if (!has_table || all.empty()) return false;
  std::ranges::sort(all, {}, [](const Function& each) { return std::pair(each.begin, each.name_at); });
  for (const Function& each : all) {
    if (functions_.empty() || functions_.back().begin != each.begin) {
      functions_.push_back(each);
      continue;
    }
    Function& known = functions_.back();
    const uint32_t size = std::max(known.size, each.size);
    if (reads_better(symbols.name_at(each.name_at), symbols.name_at(known.name_at))) known = each;
    known.size = size;
  }
  functions_.shrink_to_fit();
  return true;
}

std::string FunctionTable::name_of(uint64_t address) const {
  auto found =
      std::ranges::upper_bound(functions_, address, {}, [](const Function& each) { return uint64_t{each.begin}; });
  if (found == functions_.begin()) return {};
  --found;
  if (address - found->begin >= found->size) return {};
  if (kept_) return kept_->name_at(found->name_at);
  const ElfSymbols symbols = symbols_of(file_);
  return symbols.stamp() == stamp_ ? symbols.name_at(found->name_at) : std::string();
}

}  // namespace rec
