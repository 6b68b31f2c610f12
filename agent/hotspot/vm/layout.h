// SPDX-License-Identifier: Apache-2.0
// Layout: where things lie inside this process' HotSpot, a part for each of its types. Filled once at start from the
// exported tables (layout_fields.h names them) and by calibration (calibration.h), checked, and constant afterwards;
// handlers read it without a second thought. Signal-safe.
//
// A number without a word of its own is a field's offset in bytes. Fields that exist on some versions only are kAbsent
// elsewhere, and the code that needs them says what it does then. Verified on 17 and 25.
//
// Nobody outside agent/hotspot looks into it: readers do (method_view.h, java_thread.h, vm_features.h and others).
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/vm_state.h"

namespace rec::agent {

inline constexpr uint32_t kAbsent = ~0u;

struct Layout {
  uint32_t vm_major = 0;
  uint32_t unsigned5_excess = 0;  // 1 from 20 on: each byte of an UNSIGNED5 number is stored plus one

  // --- classes and methods

  struct Method {
    uint32_t const_method = kAbsent, access_flags = kAbsent;
    uint32_t code = kAbsent;         // its nmethod
    uint32_t flags = kAbsent;        // u2, only to 17: bit 8 = hidden
    uint32_t access_flags_size = 0;  // bytes: 4 to 21, 2 from 24 on
    uint32_t header = kAbsent;       // sizeof(Method): what a native one is bound to follows
  } method;

  struct ConstMethod {
    uint32_t constants = kAbsent, size = kAbsent, flags = kAbsent, code_size = kAbsent, name = kAbsent,
             signature = kAbsent, idnum = kAbsent, parameters = kAbsent;
    uint32_t orig_idnum = kAbsent;  // derived
    uint32_t header = 0;            // sizeof(ConstMethod): bytecodes follow
    // Flags. What each of annotations stands for takes a word at the very end of the ConstMethod, and the index of the
    // generic signature is the u2 before those (src/hotspot/share/oops/constMethod.cpp, last_u2_element()).
    uint32_t has_lines = 0;
    uint32_t has_generic_signature = kAbsent;
    uint32_t annotations[4] = {};
  } const_method;

  struct ConstantPool {
    uint32_t holder = kAbsent;
    uint32_t header = 0;                   // sizeof(ConstantPool): the constants follow
    uint32_t generic_signature = kAbsent;  // u2, index of the class's; 0: none
    uint32_t source_file = kAbsent;        // u2, likewise
  } constant_pool;

  struct Klass {
    uint32_t name = kAbsent, loader_data = kAbsent, next_link = kAbsent;
    uint32_t access_flags = kAbsent;   // absent from 27 on
    uint32_t mirror = kAbsent;         // an OopHandle
    uint32_t layout_helper = kAbsent;  // of an instance's class: its size in bytes, the low bits apart
    uint32_t trace_id = kAbsent;       // calibrated
  } klass;

  struct InstanceKlass {
    uint32_t methods = kAbsent;            // an Array<Method*>: its length, u4, comes first
    uint32_t method_array_data = kAbsent;  // and so far into it the methods
    uint32_t constants = kAbsent, jmethod_ids = kAbsent;
    uint32_t package = kAbsent;  // calibrated
  } instance_klass;

  struct ArrayKlass {
    uint32_t bottom = kAbsent;  // of arrays of objects: the class of what is in the innermost array
  } array_klass;

  struct Mirror {
    uint32_t klass = kAbsent;  // java_lang_Class::_klass_offset: from a class mirror to its Klass
  } mirror;

  struct Object {
    uint32_t klass = kAbsent;  // of the class word, compressed or not
    uint64_t narrow_klass_base = 0;
    uint32_t narrow_klass_shift = 0;
    // Calibrated: how a class and a reference are written in an object (heap_object.h).
    enum class KlassWord : uint8_t { kUnknown, kNarrow, kWide, kCompact };
    enum class Reference : uint8_t { kUnknown, kNarrow, kWide, kColoured };
    KlassWord klass_word = KlassWord::kUnknown;
    Reference reference = Reference::kUnknown;
    uint64_t narrow_base = 0;
    uint32_t narrow_shift = 0;
  } object;

  // ZGC, if it runs: addresses of the words with the colours that references have, and have no longer; and where it notes
  // what it has moved (zgc_forwarding.h). All of the second line or nothing.
  struct Zgc {
    uint64_t bad_colours = 0, good_colours = 0;
    uint64_t offset_mask = 0, maps[2] = {}, forwarding_size = 0;
    uint32_t start = kAbsent, shift = kAbsent, length = kAbsent;
    uint32_t granule_shift = 0;
    uint64_t pages = 0;  // the words of the page table (old_generation.h); 0: not exported
    uint32_t page_start = 0, page_sequence = 0;
  } zgc;

  struct Heap {
    uint64_t collected_heap = 0;           // where Universe::_collectedHeap is; 0: not exported
    uint32_t total_collections = kAbsent;  // of a CollectedHeap
  } heap;

  // Fields of Java's own classes, and these classes; calibrated (java_fields.h), all of a part or nothing.
  struct JavaThreadObject {
    uint64_t virtual_class = 0;                  // java.lang.VirtualThread
    uint64_t bound_class = 0;                    // of a virtual thread that is a thread of the system
    uint32_t id = kAbsent, name = kAbsent;       // of a Thread
    uint32_t continuation = kAbsent;             // of a VirtualThread
    uint64_t string_class = 0, bytes_class = 0;  // String, byte[]
    uint32_t value = kAbsent, coder = kAbsent;   // of a String
    uint32_t length = kAbsent, bytes = kAbsent;  // of a byte[]
  } thread_object;

  // Methods that threads wait in, if they were found.
  struct Waits {
    uint64_t park = 0;   // Unsafe.park
    uint64_t yield = 0;  // of Thread, the native one
    bool is_park(uint64_t method) const { return method != 0 && method == park; }
    bool is_yield(uint64_t method) const { return method != 0 && method == yield; }
  } waits;

  struct Continuation {
    uint64_t klass = 0, virtual_klass = 0;  // Continuation, and the one of a virtual thread
    uint64_t enter_special = 0;             // the method Continuation.enterSpecial
    uint64_t yield = 0, calls_yield = 0;    // doYield, and its caller, yield0
    uint32_t tail = kAbsent, child = kAbsent;
    uint64_t chunk_class = 0;  // StackChunk
    uint32_t parent = kAbsent, size = kAbsent, sp = kAbsent;
    uint32_t bottom = kAbsent;   // from 22 on; before,
    uint32_t argsize = kAbsent;  // what lies between bottom and size
    uint32_t stack = kAbsent;    // of the first word of the stack
  } continuation;

  struct LoaderData {
    uint64_t graph_head = 0;  // address of ClassLoaderDataGraph::_head
    uint32_t next = kAbsent, klasses = kAbsent;
    uint32_t trace_id = kAbsent, klass = kAbsent, name = kAbsent;  // calibrated
  } loader_data;

  struct Package {
    uint32_t module = kAbsent;  // calibrated
  } package;

  struct Module {
    uint32_t name = kAbsent, version = kAbsent, location = kAbsent;  // calibrated
  } module;

  struct Symbol {
    uint32_t length = kAbsent, body = kAbsent;
  } symbol;

  // --- code

  struct CodeCache {
    uint64_t low = 0, high = 0;  // addresses of the bounds
    uint64_t heaps = 0;          // address of the GrowableArray<CodeHeap*>*
  } code_cache;

  struct CodeHeap {
    uint32_t memory = kAbsent, segmap = kAbsent, log2_segment = kAbsent;
    uint32_t space_low = kAbsent, space_limit = kAbsent;  // of a VirtualSpace: what is reserved, constant
    uint32_t block_used = kAbsent;
    uint32_t block_header = 0;  // sizeof(HeapBlock)
  } code_heap;

  struct Blob {
    uint32_t name = kAbsent, frame_size = kAbsent, frame_complete = kAbsent;
    uint32_t code_begin = kAbsent, code_end = kAbsent;           // addresses, to 21; else kAbsent and
    uint32_t code_offset = kAbsent, data_offset = kAbsent;       // offsets from the blob, from 23 on
    uint32_t mutable_data = kAbsent, relocation_size = kAbsent;  // from 23 on
    uint32_t kind = kAbsent;                                     // a byte, from 24 on: one of
    uint32_t adapter = kAbsent, vtable = kAbsent, safepoint = kAbsent, exception = kAbsent, upcall = kAbsent;
  } blob;

  struct Nmethod {
    uint32_t method = kAbsent, compile_id = kAbsent, orig_pc = kAbsent, scopes_pcs = kAbsent;
    uint32_t level = kAbsent;  // 1 byte that counts: CompLevel, 4 bytes or 1
    uint32_t stubs = kAbsent;  // offset of its handlers of exceptions and of deoptimisation, and of stubs of calls
    // To 21.
    uint32_t metadata = kAbsent, scopes_data_begin = kAbsent, dependencies = kAbsent, deopt_handler_begin = kAbsent,
             deopt_mh_handler_begin = kAbsent, verified_entry = kAbsent;
    uint32_t oops = kAbsent;  // of the references in its code; from 23 on they are where a blob's data begins
    // From 23 on.
    uint32_t immutable_data = kAbsent, scopes_data = kAbsent, deopt_handler = kAbsent, deopt_mh_handler = kAbsent,
             verified_entry_offset = kAbsent;
  } nmethod;

  struct PcDesc {
    uint32_t size = 0;  // sizeof(PcDesc)
    uint32_t pc = kAbsent, scope = kAbsent;
  } pc_desc;

  struct Interpreter {
    uint64_t begin = 0, end = 0;  // addresses of its code
    uint32_t codelet_size = kAbsent, codelet_description = kAbsent;
  } interpreter;

  // How Java is entered: addresses in stubs, and where the JavaCallWrapper keeps the anchor of before.
  struct Entry {
    uint64_t call_stub_return = 0;
    uint64_t continuation_return = 0;  // address of ContinuationEntry::_return_pc; 0: not told
    uint32_t call_wrapper_anchor = kAbsent;
  } entry;

  // --- threads

  struct Thread {
    uint32_t anchor = kAbsent, state = kAbsent, osthread = kAbsent, vframe_array = kAbsent, continuation = kAbsent,
             stack_base = kAbsent, stack_size = kAbsent;
    uint32_t saved_exception_pc = kAbsent;  // where it faulted, if the VM's handler has sent it to a stub
    uint32_t object = kAbsent;              // an OopHandle: its Thread,
    uint32_t running = kAbsent;             // and, from 21 on, the Thread that it runs as
    uint32_t owner_id = kAbsent;            // from 24 on: the id of the thread that it runs as
    uint32_t pending_monitor = kAbsent;     // to be entered
    uint32_t waiting_monitor = kAbsent;     // Object.wait()
    uint32_t lock_stack = kAbsent;          // from 21 on
  } thread;

  // The VM's list of all JavaThreads; all of it or nothing. It is replaced when one starts or ends, and freed then.
  struct ThreadsList {
    uint64_t newest = 0;                           // address of ThreadsSMRSupport::_java_thread_list
    uint32_t length = kAbsent, threads = kAbsent;  // u4; and address of the JavaThread*s
  } threads_list;

  struct OsThread {
    uint32_t id = kAbsent;
  } os_thread;

  struct Anchor {
    uint32_t sp = kAbsent, pc = kAbsent, fp = kAbsent;
  } anchor;

  struct Monitor {
    uint32_t object = kAbsent;  // a WeakHandle: address of the slot with the object
    uint32_t owner = kAbsent;   // JavaThread*, a BasicLock on its stack, or from 24 on (JDK-8338383) its
    bool owner_is_id = false;   // _monitor_owner_id
  } monitor;

  struct LockStack {
    uint32_t top = kAbsent, base = kAbsent;
  } lock_stack;

  // How thread states are numbered.
  struct States {
    static constexpr uint32_t kCount = 16;
    uint32_t in_java = 0;
    VmState kinds[kCount] = {};
    bool transitions[kCount] = {};
  } states;
};

class VmTables;

// Fills all that the tables tell. Returns nullptr, or the name of the first thing that is missing and cannot be done
// without.
const char* load_layout(const VmTables& tables, Layout& layout);

}  // namespace rec::agent
