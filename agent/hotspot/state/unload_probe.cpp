// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/unload_probe.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "agent/hotspot/state/probe_notes.h"
#include "agent/hotspot/x86_64/breakpoint.h"
#include "agent/process/mapped_library.h"

namespace rec::agent {
namespace {

constexpr size_t kMaxPlaces = 8;  // an inlined probe has several; every VM seen has one
constexpr size_t kClassArgument = 2;

struct Place {
  std::atomic<uint64_t> pc{0};
  int klass_register = 0;  // of ucontext_t
};

// Written before the first breakpoint is set, and constant afterwards.
std::array<Place, kMaxPlaces> places;
OnUnload told = nullptr;
struct sigaction before {};

void pass_on(int signal, siginfo_t* info, void* context) {
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL) {
    struct sigaction fatal {};  // somebody else's breakpoint, that nobody handles: end as it would have
    fatal.sa_handler = SIG_DFL;
    sigaction(signal, &fatal, nullptr);
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), signal);
  } else if (before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
}

const Place* place_at(uint64_t pc) {
  for (const Place& place : places)
    if (place.pc.load(std::memory_order_relaxed) == pc) return &place;
  return nullptr;
}

// The thread goes on behind the breakpoint.
void on_trap(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const auto& thread = *static_cast<const ucontext_t*>(context);
  if (const Place* place = place_at(breakpoint_of(thread)))
    told(register_at(thread, place->klass_register));
  else
    pass_on(signal, info, context);
  errno = saved;
}

// A debugger takes SIGTRAP for itself.
bool is_traced() {
  FILE* status = fopen("/proc/self/status", "re");
  if (status == nullptr) return true;  // nothing can be said
  char line[256];
  int tracer = 0;
  while (fgets(line, sizeof line, status) != nullptr)
    if (sscanf(line, "TracerPid: %d", &tracer) == 1) break;
  fclose(status);
  return tracer != 0;
}

struct Found {
  uint64_t pc = 0;
  int klass_register = -1;
};

// Where to put breakpoints; none unless each place of the probe is understood.
std::vector<Found> find_places(const Layout& layout) {
  Dl_info vm{};
  const void* symbol = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  if (symbol == nullptr || dladdr(symbol, &vm) == 0 || vm.dli_fname == nullptr) return {};
  const MappedLibrary file(vm.dli_fname);
  std::vector<Found> all;
  for (const ProbePlace& probe : find_probes(std::as_bytes(file.bytes()), "hotspot", "class__unloaded")) {
    const MemoryOperand operand = memory_operand(probe.arguments, kClassArgument);
    const Found found{reinterpret_cast<uint64_t>(vm.dli_fbase) + probe.pc, register_index(operand.register_name)};
    const bool is_klass = operand.displacement == static_cast<int64_t>(layout.klass.loader_data);
    if (found.klass_register < 0 || !is_klass || !is_nop(found.pc)) return {};
    all.push_back(found);
  }
  return all.size() <= kMaxPlaces ? all : std::vector<Found>();
}

bool take_trap_signal() {
  if (sigaction(SIGTRAP, nullptr, &before) != 0) return false;
  struct sigaction ours = before;
  ours.sa_sigaction = on_trap;
  ours.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ours.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  return sigaction(SIGTRAP, &ours, nullptr) == 0;
}

}  // namespace

bool set_unload_probe(const Layout& layout, OnUnload on_unload) {
  const std::vector<Found> found = find_places(layout);
  if (found.empty() || is_traced()) return false;
  told = on_unload;
  if (!take_trap_signal()) return false;
  for (size_t i = 0; i < found.size(); ++i) {
    places[i].klass_register = found[i].klass_register;
    // release: pairs with place_at(), which needs no acquire: nobody traps before the breakpoint is written, below.
    places[i].pc.store(found[i].pc, std::memory_order_release);
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (set_breakpoint(found[i].pc)) continue;
    for (size_t done = 0; done < i; ++done) clear_breakpoint(found[done].pc);
    return false;  // the handler stays: a thread may be on its way there
  }
  return true;
}

}  // namespace rec::agent
