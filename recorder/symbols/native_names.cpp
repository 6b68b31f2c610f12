// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/native_names.h"

#include <cstdio>
#include <utility>

#include "recorder/symbols/demangle.h"

namespace rec {

namespace {

// The file of a mapping, though it is deleted or replaced: for who may (CAP_CHECKPOINT_RESTORE, proc(5)).
std::string mapped_file(const NativeLibrary& library) {
  char text[80] = "";
  if (library.end != 0)
    std::snprintf(text, sizeof text, "/proc/self/map_files/%llx-%llx", static_cast<unsigned long long>(library.begin),
                  static_cast<unsigned long long>(library.end));
  return text;
}

}  // namespace

const std::string& NativeNames::name_of(const NativeLibrary& library, uint64_t address) {
  const Place place{library.id, address};
  const auto known = names_.find(place);
  if (known != names_.end()) return known->second;
  if (names_.size() >= kMostNames) names_.clear();
  return names_[place] = find(library, address);
}

std::string NativeNames::find(const NativeLibrary& library, uint64_t address) {
  if (library.path.empty()) return address == 0 ? "[unknown]" : "[not unwound]";
  if (library.path == kKernelPath) return find_in_kernel(library, address);
  auto table = tables_.find(library.id);
  if (table == tables_.end() && functions_ < kMostFunctions) {
    FunctionTable made(std::string(library.path), library.build_id, mapped_file(library), library.file);
    table = tables_.emplace(library.id, std::move(made)).first;
    functions_ += table->second.size();
  }
  const std::string symbol = table == tables_.end() ? std::string() : table->second.name_of(address);
  if (!symbol.empty()) return readable_name(symbol);
  char text[32];
  std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string NativeNames::find_in_kernel(const NativeLibrary& kernel, uint64_t place) {
  if (!kernel_) kernel_ = kernel_symbols(kernel.build_id);
  return kernel_->name_of(place);
}

}  // namespace rec
