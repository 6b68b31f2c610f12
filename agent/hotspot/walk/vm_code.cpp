// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/vm_code.h"

#include <cstring>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/calibration.h"
#include "agent/hotspot/vm/codelets.h"
#include "agent/hotspot/vm/java_fields.h"
#include "agent/hotspot/vm/vm_flags.h"
#include "agent/hotspot/vm/vm_tables.h"

namespace rec::agent {
namespace {

// cont_thaw, cont_returnBarrier, cont_returnBarrierExc, cont_preempt lie back to back. To 21 each is called "Cont thaw"
// and something; later the names have words before and behind them.
bool moves_frames(const char* stub) {
  return std::strncmp(stub, "Cont thaw", 9) == 0 || std::strstr(stub, "cont_") != nullptr;
}

bool holds_many(BlobKind kind) { return kind == BlobKind::kStubRoutines || kind == BlobKind::kVtable; }

// A blob that is one piece of code is told as a whole.
bool is_part(const CodeBlob& blob, uint64_t begin, uint64_t end) {
  return begin >= blob.code_begin && end <= blob.code_end && end - begin < blob.code_end - blob.code_begin;
}

void add_continuation_stub(VmCode& vm, uint64_t begin, uint64_t end) {
  if (vm.continuation_stubs_begin == 0 || begin < vm.continuation_stubs_begin) vm.continuation_stubs_begin = begin;
  if (end > vm.continuation_stubs_end) vm.continuation_stubs_end = end;
}

}  // namespace

std::string open_vm_code(VmCode& vm, JNIEnv* jni) {
  const auto tables = VmTables::open();
  if (!tables) return "has no vmStructs tables";
  if (const char* missing = load_layout(*tables, vm.layout))
    return std::string("does not tell where ") + missing + " is";
  if (!vm.code_cache.open(vm.layout)) return "keeps its code in a way that is not known";
  if (!read_codelets(vm.layout, vm.interpreter)) return "has an interpreter that is not known (Zero?)";
  calibrate(vm.layout);
  if (vm.layout.klass.trace_id == kAbsent)
    return "gives its classes no ids that can be found (was it built without JFR?)";
  find_java_fields(jni, vm.layout);
  vm.reads_chunks = knows_continuations(vm.layout);
  vm.modules.refresh();
  return {};
}

void add_stub(VmCode& vm, const char* name, const void* address, jint size) {
  const auto begin = reinterpret_cast<uint64_t>(address), end = begin + static_cast<uint64_t>(size);
  if (size <= 0 || name == nullptr) return;
  const CodeBlob blob = vm.code_cache.find(begin);
  if (blob.kind == BlobKind::kOther && is_part(blob, begin, end)) vm.code_cache.note_stubs(blob.address);
  const BlobKind kind = vm.code_cache.find(begin).kind;
  if (!holds_many(kind)) return;
  vm.stubs.add(begin, end, name);
  const uint64_t call_stub = vm.layout.entry.call_stub_return;
  if (call_stub >= begin && call_stub < end)
    vm.call_stub_name = reinterpret_cast<uint64_t>(vm.stubs.find(call_stub).name);
  if (kind == BlobKind::kStubRoutines && moves_frames(name)) add_continuation_stub(vm, begin, end);
}

// Some are called by their arguments.
constexpr char kAdapterName[] = "I2C/C2I adapters";

uint64_t stub_name(const VmCode& vm, const CodeBlob& blob, uint64_t pc) {
  if (blob.kind == BlobKind::kAdapter) return reinterpret_cast<uint64_t>(kAdapterName);
  const char* const told = holds_many(blob.kind) ? vm.stubs.find(pc).name : nullptr;
  return told != nullptr ? reinterpret_cast<uint64_t>(told) : u64_at(blob.address + vm.layout.blob.name);
}

TextView stub_text(uint64_t name) {
  constexpr uint16_t kMost = 96;
  const auto prints = [](uint8_t letter) { return letter >= ' ' && letter <= '~'; };
  uint16_t size = 0;
  while (size < kMost && prints(u8_at(name + size))) ++size;
  return {reinterpret_cast<const char*>(name), size};
}

TextView stub_text_at(const VmCode& vm, uint64_t pc) {
  const CodeBlob blob = vm.code_cache.find(pc);
  const bool is_stub = holds_many(blob.kind) || blob.kind == BlobKind::kAdapter || is_runtime_stub(blob.kind);
  return is_stub ? stub_text(stub_name(vm, blob, pc)) : TextView{};
}

bool enable_debug_non_safepoints() {
  bool* const flag = vm_flag("DebugNonSafepoints");
  if (flag != nullptr) *flag = true;
  return flag != nullptr;
}

}  // namespace rec::agent
