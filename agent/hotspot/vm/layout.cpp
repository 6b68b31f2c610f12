// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/layout.h"

#include <string>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout_fields.h"
#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/vm/zgc_forwarding.h"

namespace rec::agent {
namespace {

// Reads what is asked for, one thing after another; remembers the first that is missing and may not be.
class Loader {
 public:
  explicit Loader(const VmTables& tables) : tables_(tables) {}

  const char* missing() const { return missing_; }

  template <typename Part, size_t N>
  void offsets(Part& part, const fields::Row<Part> (&rows)[N]) {
    for (const fields::Row<Part>& row : rows) {
      const auto offset = tables_.offset(row.type, row.field);
      if (offset) part.*row.target = static_cast<uint32_t>(*offset);
      if (!offset && row.need == fields::Need::kRequired) miss(row.field);
    }
  }
  void size(uint32_t& to, const char* type) {
    const auto size = tables_.size(type);
    size ? void(to = static_cast<uint32_t>(*size)) : miss(type);
  }
  void address(uint64_t& to, const char* type, const char* field) {
    const auto address = tables_.address(type, field);
    address ? void(to = *address) : miss(field);
  }
  void constant(uint32_t& to, const char* name) {
    const auto value = tables_.constant(name);
    value ? void(to = static_cast<uint32_t>(*value)) : miss(name);
  }
  void constant_if_there(uint32_t& to, const char* name) {
    if (const auto value = tables_.constant(name)) to = static_cast<uint32_t>(*value);
  }
  void miss(const char* name) {
    if (missing_ == nullptr) missing_ = name;
  }

 private:
  const VmTables& tables_;
  const char* missing_ = nullptr;
};

// A static field's value, or what stands for its absence.
uint32_t u32_of(const VmTables& tables, const char* type, const char* field, uint32_t otherwise) {
  const auto address = tables.address(type, field);
  return address ? u32_at(*address) : otherwise;
}
uint64_t u64_of(const VmTables& tables, const char* type, const char* field, uint64_t otherwise) {
  const auto address = tables.address(type, field);
  return address ? u64_at(*address) : otherwise;
}

// CodeBlobKind (src/hotspot/share/code/codeBlob.hpp).
void load_blob_kinds(Loader& load, Layout::Blob& blob) {
  load.constant_if_there(blob.adapter, "CodeBlobKind::Adapter");
  load.constant_if_there(blob.vtable, "CodeBlobKind::Vtable");
  load.constant_if_there(blob.safepoint, "CodeBlobKind::Safepoint");
  load.constant_if_there(blob.exception, "CodeBlobKind::Exception");
  load.constant_if_there(blob.upcall, "CodeBlobKind::Upcall");
}

void load_offsets(Loader& load, Layout& layout) {
  load.offsets(layout.method, fields::kMethod);
  load.offsets(layout.const_method, fields::kConstMethod);
  load.offsets(layout.constant_pool, fields::kConstantPool);
  load.offsets(layout.klass, fields::kKlass);
  load.offsets(layout.instance_klass, fields::kInstanceKlass);
  load.offsets(layout.array_klass, fields::kArrayKlass);
  load.offsets(layout.object, fields::kObject);
  load.offsets(layout.loader_data, fields::kLoaderData);
  load.offsets(layout.symbol, fields::kSymbol);
  load.offsets(layout.code_heap, fields::kCodeHeap);
  load.offsets(layout.blob, fields::kBlob);
  load.offsets(layout.nmethod, fields::kNmethod);
  load.offsets(layout.pc_desc, fields::kPcDesc);
  load.offsets(layout.interpreter, fields::kInterpreter);
  load.offsets(layout.entry, fields::kEntry);
  load.offsets(layout.thread, fields::kThread);
  load.offsets(layout.threads_list, fields::kThreadsList);
  load.offsets(layout.os_thread, fields::kOsThread);
  load.offsets(layout.anchor, fields::kAnchor);
  load.offsets(layout.monitor, fields::kMonitor);
  load.offsets(layout.lock_stack, fields::kLockStack);
}

void load_numbers(Loader& load, Layout& layout) {
  load.size(layout.method.access_flags_size, "AccessFlags");
  load.size(layout.const_method.header, "ConstMethod");
  load.size(layout.constant_pool.header, "ConstantPool");
  load.size(layout.code_heap.block_header, "HeapBlock");
  load.size(layout.pc_desc.size, "PcDesc");
  load.address(layout.code_cache.low, "CodeCache", "_low_bound");
  load.address(layout.code_cache.high, "CodeCache", "_high_bound");
  load.address(layout.code_cache.heaps, "CodeCache", "_heaps");
  load.address(layout.loader_data.graph_head, "ClassLoaderDataGraph", "_head");
  load_blob_kinds(load, layout.blob);
  load.constant(layout.states.in_java, "_thread_in_Java");
}

// A flag of a ConstMethod: to 20, and from 21 on.
std::optional<int64_t> method_flag(const VmTables& tables, const char* name) {
  const auto old_name = tables.constant(("ConstMethod::_" + std::string(name)).c_str());
  return old_name ? old_name : tables.constant(("ConstMethodFlags::_misc_" + std::string(name)).c_str());
}

void load_lines_flag(Loader& load, const VmTables& tables, Layout& layout) {
  const auto flag = method_flag(tables, "has_linenumber_table");
  flag ? void(layout.const_method.has_lines = static_cast<uint32_t>(*flag)) : load.miss("_has_linenumber_table");
}

// All of it or nothing.
void load_generics_flags(const VmTables& tables, Layout::ConstMethod& layout) {
  constexpr const char* kNames[] = {"has_method_annotations", "has_parameter_annotations", "has_type_annotations",
                                    "has_default_annotations"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    const auto value = method_flag(tables, kNames[i]);
    if (!value) return;
    layout.annotations[i] = static_cast<uint32_t>(*value);
  }
  if (const auto generic = method_flag(tables, "has_generic_signature"))
    layout.has_generic_signature = static_cast<uint32_t>(*generic);
}

// ConstMethod::_orig_method_idnum is not exported. It follows _size_of_parameters, with _num_stack_arg_slots (u2)
// between from 21 on.
void derive_original_idnum(const VmTables& tables, Layout& layout) {
  const bool has_arg_slots = tables.offset("ConstMethod", "_num_stack_arg_slots").has_value() || layout.vm_major >= 21;
  layout.const_method.orig_idnum = layout.const_method.parameters + (has_arg_slots ? 4 : 2);
}

void load_interpreter(Loader& load, const VmTables& tables, Layout::Interpreter& interpreter) {
  const auto code = tables.address("AbstractInterpreter", "_code");
  const auto buffer = tables.offset("StubQueue", "_stub_buffer");
  const auto limit = tables.offset("StubQueue", "_buffer_limit");
  if (!code || !buffer || !limit) return load.miss("AbstractInterpreter::_code");
  const uint64_t queue = u64_at(*code);
  interpreter.begin = u64_at(queue + *buffer);
  interpreter.end = interpreter.begin + u32_at(queue + *limit);
  if (interpreter.begin == 0) load.miss("the interpreter's code");
}

void load_entry(Loader& load, const VmTables& tables, Layout::Entry& entry) {
  const auto call_stub = tables.address("StubRoutines", "_call_stub_return_address");
  call_stub ? void(entry.call_stub_return = u64_at(*call_stub)) : load.miss("StubRoutines::_call_stub_return_address");
  entry.continuation_return = tables.address("ContinuationEntry", "_return_pc").value_or(0);
}

void load_objects(const VmTables& tables, Layout& layout) {
  constexpr const char* kPointers = "CompressedKlassPointers";
  layout.mirror.klass = u32_of(tables, "java_lang_Class", "_klass_offset", kAbsent);
  layout.object.narrow_klass_base =
      u64_of(tables, kPointers, "_base", u64_of(tables, kPointers, "_narrow_klass._base", 0));
  layout.object.narrow_klass_shift =
      u32_of(tables, kPointers, "_shift", u32_of(tables, kPointers, "_narrow_klass._shift", 0));
  constexpr const char* kOops = "CompressedOops";
  layout.object.narrow_base = u64_of(tables, kOops, "_base", u64_of(tables, kOops, "_narrow_oop._base", 0));
  layout.object.narrow_shift = u32_of(tables, kOops, "_shift", u32_of(tables, kOops, "_narrow_oop._shift", 0));
  load_zgc(tables, layout.zgc);
  layout.method.header = static_cast<uint32_t>(tables.size("Method").value_or(kAbsent));
  layout.heap.collected_heap = tables.address("Universe", "_collectedHeap").value_or(0);
  layout.heap.total_collections =
      static_cast<uint32_t>(tables.offset("CollectedHeap", "_total_collections").value_or(kAbsent));
}

void load_threads_list(const VmTables& tables, Layout::ThreadsList& list) {
  if (list.length == kAbsent || list.threads == kAbsent) return;
  list.newest = tables.address("ThreadsSMRSupport", "_java_thread_list").value_or(0);
}

void load_states(const VmTables& tables, Layout::States& states) {
  for (const fields::StateRow& row : fields::kStates) {
    const auto number = tables.constant(row.name);
    if (!number || *number < 0 || *number >= Layout::States::kCount) continue;
    states.kinds[*number] = row.kind;
    states.transitions[*number] = row.is_transition;
  }
}

const char* check_variants(const Layout& layout) {
  const Layout::Blob& blob = layout.blob;
  const Layout::Nmethod& nmethod = layout.nmethod;
  const bool has_code = blob.code_begin != kAbsent || (blob.code_offset != kAbsent && blob.data_offset != kAbsent);
  if (!has_code) return "CodeBlob::_code_begin";
  if (nmethod.method == kAbsent) return "nmethod::_method";
  if (layout.const_method.flags == kAbsent) return "ConstMethod::_flags";
  const bool old_scopes = nmethod.scopes_data_begin != kAbsent && nmethod.metadata != kAbsent;
  const bool new_scopes = nmethod.immutable_data != kAbsent && nmethod.scopes_data != kAbsent &&
                          blob.mutable_data != kAbsent && blob.relocation_size != kAbsent;
  return old_scopes || new_scopes ? nullptr : "nmethod's scopes";
}

}  // namespace

const char* load_layout(const VmTables& tables, Layout& layout) {
  layout = Layout{};
  Loader load(tables);
  load_offsets(load, layout);
  load_numbers(load, layout);
  if (load.missing() != nullptr) return load.missing();
  layout.vm_major = u32_of(tables, "Abstract_VM_Version", "_vm_major_version", 0);
  layout.unsigned5_excess = layout.vm_major >= 20 ? 1 : 0;
  layout.monitor.owner_is_id = layout.vm_major >= 24;
  load_lines_flag(load, tables, layout);
  load_generics_flags(tables, layout.const_method);
  derive_original_idnum(tables, layout);
  load_entry(load, tables, layout.entry);
  load_interpreter(load, tables, layout.interpreter);
  load_objects(tables, layout);
  load_threads_list(tables, layout.threads_list);
  load_states(tables, layout.states);
  return load.missing() != nullptr ? load.missing() : check_variants(layout);
}

}  // namespace rec::agent
