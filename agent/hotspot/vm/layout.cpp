// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/layout.h"

#include <cstddef>

#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

enum class Need { kRequired, kOptional };

// One row a field: where it goes, and its name in the tables. Two rows with one target are two versions' names.
struct OffsetRow {
  uint32_t Layout::*target;
  const char* type;
  const char* field;
  Need need = Need::kRequired;
};
constexpr Need kOptional = Need::kOptional;

constexpr OffsetRow kOffsets[] = {
    {&Layout::method_const_method, "Method", "_constMethod"},
    {&Layout::method_access_flags, "Method", "_access_flags"},
    {&Layout::method_flags, "Method", "_flags", kOptional},
    {&Layout::const_method_constants, "ConstMethod", "_constants"},
    {&Layout::const_method_size, "ConstMethod", "_constMethod_size"},
    {&Layout::const_method_flags, "ConstMethod", "_flags", kOptional},
    {&Layout::const_method_flags, "ConstMethod", "_flags._flags", kOptional},
    {&Layout::const_method_code_size, "ConstMethod", "_code_size"},
    {&Layout::const_method_name, "ConstMethod", "_name_index"},
    {&Layout::const_method_signature, "ConstMethod", "_signature_index"},
    {&Layout::const_method_idnum, "ConstMethod", "_method_idnum"},
    {&Layout::const_method_parameters, "ConstMethod", "_size_of_parameters"},
    {&Layout::constant_pool_holder, "ConstantPool", "_pool_holder"},
    {&Layout::klass_name, "Klass", "_name"},
    {&Layout::klass_access_flags, "Klass", "_access_flags", kOptional},
    {&Layout::klass_loader_data, "Klass", "_class_loader_data"},
    {&Layout::klass_next_link, "Klass", "_next_link"},
    {&Layout::instance_klass_methods, "InstanceKlass", "_methods"},
    {&Layout::method_array_data, "Array<Method*>", "_data"},
    {&Layout::loader_data_next, "ClassLoaderData", "_next"},
    {&Layout::loader_data_klasses, "ClassLoaderData", "_klasses"},
    {&Layout::symbol_length, "Symbol", "_length"},
    {&Layout::symbol_body, "Symbol", "_body"},
    {&Layout::code_heap_memory, "CodeHeap", "_memory"},
    {&Layout::code_heap_segmap, "CodeHeap", "_segmap"},
    {&Layout::code_heap_log2_segment, "CodeHeap", "_log2_segment_size"},
    {&Layout::virtual_space_low, "VirtualSpace", "_low"},
    {&Layout::virtual_space_limit, "VirtualSpace", "_high_boundary"},
    {&Layout::heap_block_used, "HeapBlock::Header", "_used"},
    {&Layout::blob_name, "CodeBlob", "_name"},
    {&Layout::blob_frame_size, "CodeBlob", "_frame_size"},
    {&Layout::blob_frame_complete, "CodeBlob", "_frame_complete_offset"},
    {&Layout::blob_code_begin, "CodeBlob", "_code_begin", kOptional},
    {&Layout::blob_code_end, "CodeBlob", "_code_end", kOptional},
    {&Layout::blob_code_offset, "CodeBlob", "_code_offset", kOptional},
    {&Layout::blob_data_offset, "CodeBlob", "_data_offset", kOptional},
    {&Layout::nmethod_method, "CompiledMethod", "_method", kOptional},
    {&Layout::nmethod_method, "nmethod", "_method", kOptional},
    {&Layout::nmethod_compile_id, "nmethod", "_compile_id"},
    {&Layout::nmethod_orig_pc, "nmethod", "_orig_pc_offset"},
    {&Layout::nmethod_scopes_pcs, "nmethod", "_scopes_pcs_offset"},
    {&Layout::nmethod_metadata, "nmethod", "_metadata_offset", kOptional},
    {&Layout::nmethod_scopes_data_begin, "CompiledMethod", "_scopes_data_begin", kOptional},
    {&Layout::nmethod_dependencies, "nmethod", "_dependencies_offset", kOptional},
    {&Layout::nmethod_deopt_handler_begin, "CompiledMethod", "_deopt_handler_begin", kOptional},
    {&Layout::nmethod_deopt_mh_handler_begin, "CompiledMethod", "_deopt_mh_handler_begin", kOptional},
    {&Layout::nmethod_verified_entry, "nmethod", "_verified_entry_point", kOptional},
    {&Layout::nmethod_immutable_data, "nmethod", "_immutable_data", kOptional},
    {&Layout::nmethod_scopes_data, "nmethod", "_scopes_data_offset", kOptional},
    {&Layout::blob_mutable_data, "CodeBlob", "_mutable_data", kOptional},
    {&Layout::blob_relocation_size, "CodeBlob", "_relocation_size", kOptional},
    {&Layout::nmethod_deopt_handler, "nmethod", "_deopt_handler_offset", kOptional},
    {&Layout::nmethod_deopt_mh_handler, "nmethod", "_deopt_mh_handler_offset", kOptional},
    {&Layout::nmethod_verified_entry_offset, "nmethod", "_verified_entry_offset", kOptional},
    {&Layout::pc_desc_pc, "PcDesc", "_pc_offset"},
    {&Layout::pc_desc_scope, "PcDesc", "_scope_decode_offset"},
    {&Layout::call_wrapper_anchor, "JavaCallWrapper", "_anchor"},
    {&Layout::thread_anchor, "JavaThread", "_anchor"},
    {&Layout::thread_state, "JavaThread", "_thread_state"},
    {&Layout::thread_osthread, "JavaThread", "_osthread", kOptional},
    {&Layout::thread_osthread, "Thread", "_osthread", kOptional},
    {&Layout::thread_vframe_array, "JavaThread", "_vframe_array_head"},
    {&Layout::thread_continuation, "JavaThread", "_cont_entry", kOptional},
    {&Layout::thread_owner_id, "JavaThread", "_monitor_owner_id", kOptional},
    {&Layout::thread_stack_base, "JavaThread", "_stack_base"},
    {&Layout::thread_stack_size, "JavaThread", "_stack_size"},
    {&Layout::codelet_size, "InterpreterCodelet", "_size"},
    {&Layout::codelet_description, "InterpreterCodelet", "_description"},
    {&Layout::osthread_id, "OSThread", "_thread_id"},
    {&Layout::anchor_sp, "JavaFrameAnchor", "_last_Java_sp"},
    {&Layout::anchor_pc, "JavaFrameAnchor", "_last_Java_pc"},
    {&Layout::anchor_fp, "JavaFrameAnchor", "_last_Java_fp"},
};

struct SizeRow {
  uint32_t Layout::*target;
  const char* type;
};
constexpr SizeRow kSizes[] = {
    {&Layout::access_flags_size, "AccessFlags"},
    {&Layout::const_method_header, "ConstMethod"},
    {&Layout::constant_pool_header, "ConstantPool"},
    {&Layout::heap_block_header, "HeapBlock"},
    {&Layout::pc_desc_size, "PcDesc"},
};

struct AddressRow {
  uint64_t Layout::*target;
  const char* type;
  const char* field;
};
constexpr AddressRow kAddresses[] = {
    {&Layout::code_low, "CodeCache", "_low_bound"},
    {&Layout::code_high, "CodeCache", "_high_bound"},
    {&Layout::code_heaps, "CodeCache", "_heaps"},
    {&Layout::loader_graph_head, "ClassLoaderDataGraph", "_head"},
};

struct ConstantRow {
  uint32_t Layout::*target;
  const char* name;
};
constexpr ConstantRow kConstants[] = {
    {&Layout::state_in_java, "_thread_in_Java"},
};

const char* load_offsets(const VmTables& tables, Layout& layout) {
  for (const OffsetRow& row : kOffsets) layout.*row.target = kAbsent;
  for (const OffsetRow& row : kOffsets) {
    const auto offset = tables.offset(row.type, row.field);
    if (offset) layout.*row.target = static_cast<uint32_t>(*offset);
    if (!offset && row.need == Need::kRequired) return row.field;
  }
  return nullptr;
}

// ConstMethod::_orig_method_idnum is not exported. It follows _size_of_parameters, with _num_stack_arg_slots (u2)
// between from 21 on.
void derive_original_idnum(const VmTables& tables, Layout& layout) {
  const bool has_arg_slots = tables.offset("ConstMethod", "_num_stack_arg_slots").has_value() || layout.vm_major >= 21;
  layout.const_method_orig_idnum = layout.const_method_parameters + (has_arg_slots ? 4 : 2);
}

const char* load_interpreter(const VmTables& tables, Layout& layout) {
  const auto code = tables.address("AbstractInterpreter", "_code");
  const auto buffer = tables.offset("StubQueue", "_stub_buffer");
  const auto limit = tables.offset("StubQueue", "_buffer_limit");
  if (!code || !buffer || !limit) return "AbstractInterpreter::_code";
  const uint64_t queue = u64_at(*code);
  layout.interpreter_begin = u64_at(queue + *buffer);
  layout.interpreter_end = layout.interpreter_begin + u32_at(queue + *limit);
  return layout.interpreter_begin == 0 ? "the interpreter's code" : nullptr;
}

const char* check_variants(const Layout& layout) {
  const bool has_code =
      layout.blob_code_begin != kAbsent || (layout.blob_code_offset != kAbsent && layout.blob_data_offset != kAbsent);
  if (!has_code) return "CodeBlob::_code_begin";
  if (layout.nmethod_method == kAbsent) return "nmethod::_method";
  if (layout.const_method_flags == kAbsent) return "ConstMethod::_flags";
  const bool old_scopes = layout.nmethod_scopes_data_begin != kAbsent && layout.nmethod_metadata != kAbsent;
  const bool new_scopes = layout.nmethod_immutable_data != kAbsent && layout.nmethod_scopes_data != kAbsent &&
                          layout.blob_mutable_data != kAbsent && layout.blob_relocation_size != kAbsent;
  if (!old_scopes && !new_scopes) return "nmethod's scopes";
  return nullptr;
}

}  // namespace

const char* load_layout(const VmTables& tables, Layout& layout) {
  layout = Layout{};
  if (const char* missing = load_offsets(tables, layout)) return missing;
  for (const SizeRow& row : kSizes) {
    const auto size = tables.size(row.type);
    if (!size) return row.type;
    layout.*row.target = static_cast<uint32_t>(*size);
  }
  for (const AddressRow& row : kAddresses) {
    const auto address = tables.address(row.type, row.field);
    if (!address) return row.field;
    layout.*row.target = *address;
  }
  for (const ConstantRow& row : kConstants) {
    const auto value = tables.constant(row.name);
    if (!value) return row.name;
    layout.*row.target = static_cast<uint32_t>(*value);
  }
  const auto major = tables.address("Abstract_VM_Version", "_vm_major_version");
  layout.vm_major = major ? u32_at(*major) : 0;
  layout.unsigned5_excess = layout.vm_major >= 20 ? 1 : 0;
  const auto lines17 = tables.constant("ConstMethod::_has_linenumber_table");
  const auto lines21 = tables.constant("ConstMethodFlags::_misc_has_linenumber_table");
  if (!lines17 && !lines21) return "_has_linenumber_table";
  layout.const_method_has_lines = static_cast<uint32_t>(lines17 ? *lines17 : *lines21);
  derive_original_idnum(tables, layout);
  const auto call_stub = tables.address("StubRoutines", "_call_stub_return_address");
  if (!call_stub) return "StubRoutines::_call_stub_return_address";
  layout.call_stub_return = u64_at(*call_stub);
  const auto mirror_klass = tables.address("java_lang_Class", "_klass_offset");
  layout.mirror_klass = mirror_klass ? u32_at(*mirror_klass) : kAbsent;
  const auto continuation = tables.address("ContinuationEntry", "_return_pc");
  layout.continuation_return = continuation ? u64_at(*continuation) : 0;
  if (const char* missing = load_interpreter(tables, layout)) return missing;
  layout.klass_trace_id = layout.loader_data_trace_id = layout.loader_data_klass = layout.loader_data_name = kAbsent;
  layout.instance_klass_package = layout.package_module = layout.module_name = layout.module_version =
      layout.module_location = kAbsent;
  return check_variants(layout);
}

}  // namespace rec::agent
