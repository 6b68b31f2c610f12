// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/native_frames.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "agent/hotspot/walk/native_unwind.h"
#include "recorder/symbols/elf_symbols.h"

namespace rec::agent {
namespace {

constexpr size_t kMaxFrames = 64;
constexpr uint64_t kLargestFrame = 1u << 20;
constexpr uint64_t kUnknown = 1ull << 63;  // no address of a process: a load by it fails

std::vector<NativeFrame> walk(const VmCode& vm, const OsState& os) {
  std::vector<NativeFrame> frames;
  Registers registers;
  registers.values.fill(kUnknown);
  registers[Registers::kPc] = os.pc;
  registers[Registers::kSp] = os.sp;
  for (bool top = true; frames.size() < kMaxFrames; top = false) {
    if (registers.pc() == 0 || vm.code_cache.contains(registers.pc())) break;
    frames.push_back({registers.pc(), {}, {}, 0});
    const uint64_t sp = registers.sp();
    if (!unwind_native(vm.modules, registers, top)) break;
    if (registers.sp() <= sp || registers.sp() - sp > kLargestFrame) break;
  }
  return frames;
}

struct Name {
  std::string library, function;
  uint64_t offset = 0;
};
using Names = std::map<uint64_t, Name>;  // by pc

std::string demangled(std::string_view name) {
  const std::string mangled(name);
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : mangled;
  std::free(text);
  return result;
}

// One pass over the library's symbols for all that lies in it.
void name_functions(const std::string& path, uint64_t base, Names& all, const std::vector<uint64_t>& pcs) {
  ElfSymbols(path.c_str()).each([&](const ElfSymbols::Symbol& symbol) {
    const auto first = std::lower_bound(pcs.begin(), pcs.end(), base + symbol.value);
    for (auto pc = first; pc != pcs.end() && *pc - base < symbol.value + symbol.size; ++pc) {
      Name& name = all[*pc];
      if (!name.function.empty()) continue;
      name.function = demangled(symbol.name);
      name.offset = *pc - base - symbol.value;
    }
    return true;
  });
}

void name(Names& names) {
  std::map<std::pair<std::string, uint64_t>, std::vector<uint64_t>> libraries;  // by path and base; pcs rise
  for (auto& [pc, name] : names) {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(pc), &info) == 0 || info.dli_fname == nullptr) continue;
    const std::string path = info.dli_fname;
    const auto base = reinterpret_cast<uint64_t>(info.dli_fbase);
    name.library = path.substr(path.rfind('/') + 1);
    name.offset = pc - base;
    libraries[{path, base}].push_back(pc);
  }
  for (const auto& [library, pcs] : libraries) name_functions(library.first, library.second, names, pcs);
}

}  // namespace

void read_native_frames(const VmCode& vm, ThreadDump& dump) {
  Names names;
  for (DumpedThread& thread : dump.threads) {
    if (thread.os.pc == 0) continue;
    std::vector<NativeFrame> frames = walk(vm, thread.os);
    if (thread.os.cpu_ns < 0 || task_cpu_ns(thread.os_id) != thread.os.cpu_ns) continue;
    for (const NativeFrame& frame : frames) names[frame.pc];
    thread.native_stack = std::move(frames);
  }
  name(names);
  for (DumpedThread& thread : dump.threads)
    for (NativeFrame& frame : thread.native_stack) {
      const Name& name = names[frame.pc];
      frame.library = name.library;
      frame.function = name.function;
      frame.offset = name.offset;
    }
}

}  // namespace rec::agent
