// SPDX-License-Identifier: Apache-2.0
// Layout: where things lie inside this process' HotSpot. Filled once at start from the exported tables (vm_tables.h)
// and by calibration (calibration.h), checked, and constant afterwards; handlers read it without a second thought.
// Signal-safe.
//
// Offsets are bytes into the object. Fields that exist on some versions only have kAbsent elsewhere, and the code that
// needs them says what it does then. Verified on 17 and 25.
#pragma once

#include <cstdint>

namespace rec::agent {

inline constexpr uint32_t kAbsent = ~0u;

struct Layout {
  // Method, ConstMethod, ConstantPool
  uint32_t method_const_method, method_access_flags, method_flags /* u2, only to 17: bit 8 = hidden */;
  uint32_t access_flags_size;  // 4 bytes to 21, 2 from 24 on
  uint32_t const_method_constants, const_method_size, const_method_flags, const_method_code_size, const_method_name,
      const_method_signature, const_method_idnum, const_method_orig_idnum /* derived */, const_method_parameters;
  uint32_t const_method_header;     // sizeof(ConstMethod): bytecodes follow
  uint32_t const_method_has_lines;  // flag
  uint32_t constant_pool_holder, constant_pool_header;

  // Klass, InstanceKlass, ClassLoaderData, Symbol
  uint32_t klass_name, klass_access_flags /* absent from 27 on */, klass_loader_data, klass_next_link;
  uint32_t instance_klass_methods, method_array_data;
  uint32_t loader_data_next, loader_data_klasses;
  uint32_t symbol_length, symbol_body;
  uint64_t loader_graph_head;  // address of ClassLoaderDataGraph::_head
  uint32_t mirror_klass;       // java_lang_Class::_klass_offset: from a class mirror to its Klass

  // Found by calibration; kAbsent turns the feature off.
  uint32_t klass_trace_id, loader_data_trace_id, loader_data_klass, loader_data_name;
  uint32_t instance_klass_package, package_module, module_name, module_version, module_location;

  // Code cache
  uint64_t code_low, code_high;  // addresses of the bounds
  uint64_t code_heaps;           // address of the GrowableArray<CodeHeap*>*
  uint32_t code_heap_memory, code_heap_segmap, code_heap_log2_segment, virtual_space_low,
      virtual_space_limit /* _high_boundary: what is reserved, constant */;
  uint32_t heap_block_header, heap_block_used;
  uint32_t blob_name, blob_frame_size, blob_frame_complete;
  uint32_t blob_code_begin, blob_code_end;      // addresses, to 21; else kAbsent and
  uint32_t blob_code_offset, blob_data_offset;  // offsets from the blob, from 23 on

  // Compiled methods
  uint32_t nmethod_method, nmethod_compile_id, nmethod_orig_pc, nmethod_scopes_pcs;
  uint32_t nmethod_metadata, nmethod_scopes_data_begin, nmethod_dependencies, nmethod_deopt_handler_begin,
      nmethod_deopt_mh_handler_begin, nmethod_verified_entry;  // to 21
  uint32_t nmethod_immutable_data, nmethod_scopes_data, blob_mutable_data, blob_relocation_size, nmethod_deopt_handler,
      nmethod_deopt_mh_handler, nmethod_verified_entry_offset;  // from 23 on
  uint32_t pc_desc_size, pc_desc_pc, pc_desc_scope;
  uint32_t unsigned5_excess;  // 1 from 20 on: each byte of an UNSIGNED5 number is stored plus one

  // Interpreter, stubs, entry
  uint64_t interpreter_begin, interpreter_end;
  uint32_t codelet_size, codelet_description;
  uint64_t call_stub_return;
  uint32_t call_wrapper_anchor;
  uint64_t continuation_return;  // ContinuationEntry::_return_pc, 0 when there are no continuations

  // Threads
  uint32_t thread_anchor, thread_state, thread_osthread, thread_vframe_array, thread_continuation, thread_owner_id,
      thread_stack_base, thread_stack_size;
  uint32_t osthread_id;
  uint32_t anchor_sp, anchor_pc, anchor_fp;
  uint32_t state_in_java;

  uint32_t vm_major;
};

class VmTables;

// Fills all that the tables tell. Returns nullptr, or the name of the first thing that is missing and cannot be done
// without.
const char* load_layout(const VmTables& tables, Layout& layout);

}  // namespace rec::agent
