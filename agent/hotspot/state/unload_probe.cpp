// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/unload_probe.h"

#include <dlfcn.h>

#include <csignal>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/state/probe_notes.h"
#include "agent/process/mapped_library.h"
#include "agent/process/os_state.h"

namespace rec::agent {
namespace {

constexpr size_t kClassArgument = 2;

struct Place {
  uint64_t pc = 0;
  int klass_register = -1;
};

// Where to put traps; none unless each place of the probe is understood.
std::vector<Place> find_places(const Layout& layout) {
  Dl_info vm{};
  const void* symbol = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  if (symbol == nullptr || dladdr(symbol, &vm) == 0 || vm.dli_fname == nullptr) return {};
  const MappedLibrary file(vm.dli_fname);
  std::vector<Place> all;
  for (const ProbePlace& probe : find_probes(std::as_bytes(file.bytes()), "hotspot", "class__unloaded")) {
    const MemoryOperand operand = memory_operand(probe.arguments, kClassArgument);
    const Place place{reinterpret_cast<uint64_t>(vm.dli_fbase) + probe.pc, register_index(operand.register_name)};
    const bool is_klass = operand.displacement == static_cast<int64_t>(layout.klass.loader_data);
    if (place.klass_register < 0 || !is_klass || !is_nop(place.pc)) return {};
    all.push_back(place);
  }
  return all;
}

// All threads of the VM begin alike (trap.h), so one shows what the others do, and those that are still to come.
bool vm_blocks_faults() { return blocks_signal(os_thread_named("VM Thread"), SIGSEGV); }

}  // namespace

std::string set_unload_probe(const Layout& layout, OnUnload on_unload) {
  const std::vector<Place> places = find_places(layout);
  if (places.empty()) return "has no probe that tells of classes which go";
  if (!fault_handler_ready()) return "has its SIGSEGV handled by somebody else";
  if (vm_blocks_faults()) return "blocks SIGSEGV in its own threads";
  for (size_t i = 0; i < places.size(); ++i) {
    if (set_trap(places[i].pc, places[i].klass_register, on_unload)) continue;
    for (size_t done = 0; done < i; ++done) clear_trap(places[done].pc);
    return "does not let its code be written";
  }
  return {};
}

}  // namespace rec::agent
