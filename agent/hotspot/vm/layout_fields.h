// SPDX-License-Identifier: Apache-2.0
// The fields of the Layout by their names in the exported tables: one row a field, a table for each part. Two rows with
// one target are two versions' names. For layout.cpp alone.
#pragma once

#include "agent/hotspot/vm/layout.h"

namespace rec::agent::fields {

enum class Need { kRequired, kOptional };
inline constexpr Need kOptional = Need::kOptional;

template <typename Part>
struct Row {
  uint32_t Part::*target;
  const char* type;
  const char* field;
  Need need = Need::kRequired;
};

using L = Layout;

inline constexpr Row<L::Method> kMethod[] = {
    {&L::Method::const_method, "Method", "_constMethod"},
    {&L::Method::access_flags, "Method", "_access_flags"},
    {&L::Method::flags, "Method", "_flags", kOptional},
    {&L::Method::code, "Method", "_code", kOptional},
};

inline constexpr Row<L::ConstMethod> kConstMethod[] = {
    {&L::ConstMethod::constants, "ConstMethod", "_constants"},
    {&L::ConstMethod::size, "ConstMethod", "_constMethod_size"},
    {&L::ConstMethod::flags, "ConstMethod", "_flags", kOptional},
    {&L::ConstMethod::flags, "ConstMethod", "_flags._flags", kOptional},
    {&L::ConstMethod::code_size, "ConstMethod", "_code_size"},
    {&L::ConstMethod::name, "ConstMethod", "_name_index"},
    {&L::ConstMethod::signature, "ConstMethod", "_signature_index"},
    {&L::ConstMethod::idnum, "ConstMethod", "_method_idnum"},
    {&L::ConstMethod::parameters, "ConstMethod", "_size_of_parameters"},
};

inline constexpr Row<L::ConstantPool> kConstantPool[] = {
    {&L::ConstantPool::holder, "ConstantPool", "_pool_holder"},
    {&L::ConstantPool::generic_signature, "ConstantPool", "_generic_signature_index", kOptional},
    {&L::ConstantPool::source_file, "ConstantPool", "_source_file_name_index", kOptional},
};

inline constexpr Row<L::Klass> kKlass[] = {
    {&L::Klass::name, "Klass", "_name"},
    {&L::Klass::access_flags, "Klass", "_access_flags", kOptional},
    {&L::Klass::loader_data, "Klass", "_class_loader_data"},
    {&L::Klass::next_link, "Klass", "_next_link"},
    {&L::Klass::mirror, "Klass", "_java_mirror", kOptional},
    {&L::Klass::layout_helper, "Klass", "_layout_helper", kOptional},
};

inline constexpr Row<L::InstanceKlass> kInstanceKlass[] = {
    {&L::InstanceKlass::methods, "InstanceKlass", "_methods"},
    {&L::InstanceKlass::method_array_data, "Array<Method*>", "_data"},
    {&L::InstanceKlass::constants, "InstanceKlass", "_constants", kOptional},
    {&L::InstanceKlass::jmethod_ids, "InstanceKlass", "_methods_jmethod_ids", kOptional},
};

inline constexpr Row<L::ArrayKlass> kArrayKlass[] = {
    {&L::ArrayKlass::bottom, "ObjArrayKlass", "_bottom_klass", kOptional},
};

inline constexpr Row<L::Object> kObject[] = {
    {&L::Object::klass, "oopDesc", "_metadata._klass", kOptional},
    {&L::Object::klass, "oopDesc", "_compressed_klass", kOptional},
};

inline constexpr Row<L::LoaderData> kLoaderData[] = {
    {&L::LoaderData::next, "ClassLoaderData", "_next"},
    {&L::LoaderData::klasses, "ClassLoaderData", "_klasses"},
};

inline constexpr Row<L::Symbol> kSymbol[] = {
    {&L::Symbol::length, "Symbol", "_length"},
    {&L::Symbol::body, "Symbol", "_body"},
};

inline constexpr Row<L::CodeHeap> kCodeHeap[] = {
    {&L::CodeHeap::memory, "CodeHeap", "_memory"},
    {&L::CodeHeap::segmap, "CodeHeap", "_segmap"},
    {&L::CodeHeap::log2_segment, "CodeHeap", "_log2_segment_size"},
    {&L::CodeHeap::space_low, "VirtualSpace", "_low"},
    {&L::CodeHeap::space_limit, "VirtualSpace", "_high_boundary"},
    {&L::CodeHeap::block_used, "HeapBlock::Header", "_used"},
};

inline constexpr Row<L::Blob> kBlob[] = {
    {&L::Blob::name, "CodeBlob", "_name"},
    {&L::Blob::frame_size, "CodeBlob", "_frame_size"},
    {&L::Blob::frame_complete, "CodeBlob", "_frame_complete_offset"},
    {&L::Blob::code_begin, "CodeBlob", "_code_begin", kOptional},
    {&L::Blob::code_end, "CodeBlob", "_code_end", kOptional},
    {&L::Blob::code_offset, "CodeBlob", "_code_offset", kOptional},
    {&L::Blob::data_offset, "CodeBlob", "_data_offset", kOptional},
    {&L::Blob::mutable_data, "CodeBlob", "_mutable_data", kOptional},
    {&L::Blob::relocation_size, "CodeBlob", "_relocation_size", kOptional},
    {&L::Blob::kind, "CodeBlob", "_kind", kOptional},
};

inline constexpr Row<L::Nmethod> kNmethod[] = {
    {&L::Nmethod::method, "CompiledMethod", "_method", kOptional},
    {&L::Nmethod::method, "nmethod", "_method", kOptional},
    {&L::Nmethod::compile_id, "nmethod", "_compile_id"},
    {&L::Nmethod::level, "nmethod", "_comp_level", kOptional},
    {&L::Nmethod::orig_pc, "nmethod", "_orig_pc_offset"},
    {&L::Nmethod::scopes_pcs, "nmethod", "_scopes_pcs_offset"},
    {&L::Nmethod::stubs, "nmethod", "_stub_offset", kOptional},
    {&L::Nmethod::metadata, "nmethod", "_metadata_offset", kOptional},
    {&L::Nmethod::oops, "nmethod", "_oops_offset", kOptional},
    {&L::Nmethod::scopes_data_begin, "CompiledMethod", "_scopes_data_begin", kOptional},
    {&L::Nmethod::dependencies, "nmethod", "_dependencies_offset", kOptional},
    {&L::Nmethod::deopt_handler_begin, "CompiledMethod", "_deopt_handler_begin", kOptional},
    {&L::Nmethod::deopt_mh_handler_begin, "CompiledMethod", "_deopt_mh_handler_begin", kOptional},
    {&L::Nmethod::verified_entry, "nmethod", "_verified_entry_point", kOptional},
    {&L::Nmethod::immutable_data, "nmethod", "_immutable_data", kOptional},
    {&L::Nmethod::scopes_data, "nmethod", "_scopes_data_offset", kOptional},
    {&L::Nmethod::deopt_handler, "nmethod", "_deopt_handler_offset", kOptional},
    {&L::Nmethod::deopt_handler, "nmethod", "_deopt_handler_entry_offset", kOptional},  // from 26 on
    {&L::Nmethod::deopt_mh_handler, "nmethod", "_deopt_mh_handler_offset", kOptional},
    {&L::Nmethod::verified_entry_offset, "nmethod", "_verified_entry_offset", kOptional},
};

inline constexpr Row<L::PcDesc> kPcDesc[] = {
    {&L::PcDesc::pc, "PcDesc", "_pc_offset"},
    {&L::PcDesc::scope, "PcDesc", "_scope_decode_offset"},
};

inline constexpr Row<L::Interpreter> kInterpreter[] = {
    {&L::Interpreter::codelet_size, "InterpreterCodelet", "_size"},
    {&L::Interpreter::codelet_description, "InterpreterCodelet", "_description"},
};

inline constexpr Row<L::Entry> kEntry[] = {
    {&L::Entry::call_wrapper_anchor, "JavaCallWrapper", "_anchor"},
};

inline constexpr Row<L::Thread> kThread[] = {
    {&L::Thread::anchor, "JavaThread", "_anchor"},
    {&L::Thread::state, "JavaThread", "_thread_state"},
    {&L::Thread::osthread, "JavaThread", "_osthread", kOptional},
    {&L::Thread::osthread, "Thread", "_osthread", kOptional},
    {&L::Thread::vframe_array, "JavaThread", "_vframe_array_head"},
    {&L::Thread::saved_exception_pc, "JavaThread", "_saved_exception_pc", kOptional},
    {&L::Thread::continuation, "JavaThread", "_cont_entry", kOptional},
    {&L::Thread::object, "JavaThread", "_threadObj", kOptional},
    {&L::Thread::running, "JavaThread", "_vthread", kOptional},
    {&L::Thread::owner_id, "JavaThread", "_monitor_owner_id", kOptional},
    {&L::Thread::stack_base, "JavaThread", "_stack_base"},
    {&L::Thread::stack_size, "JavaThread", "_stack_size"},
    {&L::Thread::pending_monitor, "JavaThread", "_current_pending_monitor", kOptional},
    {&L::Thread::pending_monitor, "Thread", "_current_pending_monitor", kOptional},
    {&L::Thread::waiting_monitor, "JavaThread", "_current_waiting_monitor", kOptional},
    {&L::Thread::waiting_monitor, "Thread", "_current_waiting_monitor", kOptional},
    {&L::Thread::lock_stack, "JavaThread", "_lock_stack", kOptional},
};

inline constexpr Row<L::ThreadsList> kThreadsList[] = {
    {&L::ThreadsList::length, "ThreadsList", "_length", kOptional},
    {&L::ThreadsList::threads, "ThreadsList", "_threads", kOptional},
};

inline constexpr Row<L::OsThread> kOsThread[] = {
    {&L::OsThread::id, "OSThread", "_thread_id"},
};

inline constexpr Row<L::Anchor> kAnchor[] = {
    {&L::Anchor::sp, "JavaFrameAnchor", "_last_Java_sp"},
    {&L::Anchor::pc, "JavaFrameAnchor", "_last_Java_pc"},
    {&L::Anchor::fp, "JavaFrameAnchor", "_last_Java_fp"},
};

inline constexpr Row<L::Monitor> kMonitor[] = {
    {&L::Monitor::object, "ObjectMonitor", "_object", kOptional},
    {&L::Monitor::owner, "ObjectMonitor", "_owner", kOptional},
};

inline constexpr Row<L::LockStack> kLockStack[] = {
    {&L::LockStack::top, "LockStack", "_top", kOptional},
    {&L::LockStack::base, "LockStack", "_base[0]", kOptional},
};

struct StateRow {
  const char* name;
  VmState kind;
  bool is_transition;
};
inline constexpr StateRow kStates[] = {
    {"_thread_new", VmState::kNew, false},
    {"_thread_new_trans", VmState::kNew, true},
    {"_thread_in_native", VmState::kInNative, false},
    {"_thread_in_native_trans", VmState::kInNative, true},
    {"_thread_in_vm", VmState::kInVm, false},
    {"_thread_in_vm_trans", VmState::kInVm, true},
    {"_thread_in_Java", VmState::kInJava, false},
    {"_thread_in_Java_trans", VmState::kInJava, true},
    {"_thread_blocked", VmState::kBlocked, false},
    {"_thread_blocked_trans", VmState::kBlocked, true},
};

}  // namespace rec::agent::fields
