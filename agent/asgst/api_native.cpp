// SPDX-License-Identifier: Apache-2.0
// The call of asgst.h that names native code.
#include <asgst.h>

#include <mutex>
#include <string>

#include "agent/asgst/last_error.h"
#include "agent/asgst/session.h"
#include "agent/asgst/texts.h"
#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/native_unwind.h"
#include "agent/hotspot/walk/vm_code.h"
#include "recorder/symbols/native_names.h"

namespace rec::agent::asgst {
namespace {

constexpr size_t kInfo2 = 72;
static_assert(sizeof(ASGST_NativeInfo) == kInfo2);

// Symbols of libraries, once for all callers.
struct Symbols {
  std::mutex mutex;
  NativeNames names;  // under mutex
};

Symbols& symbols() {
  static Symbols& all = *new Symbols;
  return all;
}

TextView if_any(const std::string& text) { return text.empty() ? TextView{} : view_of_text(text); }

// Empty: no symbol is there. What NativeNames says then is the place, which the caller has.
std::string function_at(const LibraryIdentity& library, uint16_t number, uint64_t address) {
  const std::lock_guard<std::mutex> lock(symbols().mutex);
  const std::string& name = symbols().names.name_of(library.named(number), address);
  return name.starts_with('+') ? std::string() : name;
}

// Of an address that no walk has found.
void look_up(Session& of, ASGST_Place& place) {
  of.vm.modules.refresh();
  NativeModule module;
  if (!of.vm.modules.find(place.pc, module) || module.number == 0) return;
  const NativePlace found = native_place_of(of.vm.modules, place.pc);
  if (found.library != module.number) return;
  place.library = found.library;
  place.address = found.address;
  place.offset = static_cast<uint32_t>(place.pc - module.bias - found.address);
}

int describe(Session& of, ASGST_Place& place, ASGST_NativeInfo& info) {
  if (place.library == 0 && place.pc != 0) look_up(of, place);
  const auto number = static_cast<uint16_t>(place.library);
  const LibraryIdentity* known =
      place.library != kNoLibrary && place.library == number ? library_numbered(number) : nullptr;
  static const LibraryIdentity none;
  const LibraryIdentity& library = known != nullptr ? *known : none;
  const std::string function = known != nullptr ? function_at(library, number, place.address) : std::string();
  Texts texts;
  texts.copy(if_any(library.name), info.library_name, info.library_name_length);
  texts.copy(if_any(library.path), info.library_path, info.library_path_length);
  texts.copy(if_any(library.build_id), info.build_id, info.build_id_length);
  texts.copy(known != nullptr ? if_any(function) : stub_text_at(of.vm, place.pc), info.function_name,
             info.function_name_length);
  return texts.result(ASGST_UNSAFE);
}

}  // namespace

extern "C" {

JNIEXPORT int ASGST_GetNativeInfo(ASGST_Place* place, ASGST_NativeInfo* info) {
  Session* of = session();
  if (of == nullptr) return set_last_error(closed_error());
  if (place == nullptr || info == nullptr) return set_last_error(ASGST_BAD_ARGUMENT);
  if (info->size < kInfo2) return set_last_error(ASGST_BAD_SIZE);
  if (!may_fault_here()) return set_last_error(ASGST_UNSAFE);
  return set_last_error(describe(*of, *place, *info));
}

}  // extern "C"

}  // namespace rec::agent::asgst
