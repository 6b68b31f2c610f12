// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/native_frames.h"

#include <algorithm>

namespace jrec {

uint32_t NativeFrames::number_of(const LibraryBuild& library) {
  const auto known = std::ranges::find_if(libraries_, [&](const LibraryBuild& each) {
    return each.path == library.path && each.build_id == library.build_id;
  });
  const auto number = static_cast<uint32_t>(known - libraries_.begin());
  if (known == libraries_.end())
    libraries_.push_back(library);
  else if (known->limit == 0)
    *known = library;
  return number;
}

void NativeFrames::add(uint32_t name, const LibraryBuild& library, uint64_t address, bool has_symbol) {
  const uint32_t number = number_of(library);
  const auto [known, is_new] = frames_.try_emplace(name, NativeFrame{number, address, has_symbol});
  if (!is_new && known->second.library != number) known->second.library = kSeveral;
}

const NativeFrame* NativeFrames::of(uint32_t name) const {
  const auto known = frames_.find(name);
  return known == frames_.end() || known->second.library == kSeveral ? nullptr : &known->second;
}

bool is_place_only(std::string_view name) {
  constexpr std::string_view kMark = ".+0x";
  const size_t at = name.rfind(kMark);
  return at != std::string_view::npos &&
         name.find_first_not_of("0123456789abcdef", at + kMark.size()) == std::string_view::npos;
}

}  // namespace jrec
