// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/native_names.h"

#include <cstdio>

#include "recorder/symbols/demangle.h"

namespace rec {

const std::string& NativeNames::name_of(const NativeLibrary& library, uint64_t address) {
  const Place place{library.id, address};
  const auto known = names_.find(place);
  if (known != names_.end()) return known->second;
  if (names_.size() >= kMostNames) names_.clear();
  return names_[place] = find(library, address);
}

std::string NativeNames::find(const NativeLibrary& library, uint64_t address) {
  if (library.path.empty()) return address == 0 ? "[unknown]" : "[not unwound]";
  auto table = tables_.find(library.id);
  if (table == tables_.end() && functions_ < kMostFunctions) {
    table = tables_.emplace(library.id, FunctionTable(std::string(library.path), library.build_id)).first;
    functions_ += table->second.size();
  }
  const std::string symbol = table == tables_.end() ? std::string() : table->second.name_of(address);
  if (!symbol.empty()) return readable_name(symbol);
  char text[32];
  std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace rec
