// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/vm_tables.h"

#include <dlfcn.h>

#include <cstring>

namespace rec::agent {
namespace {

// The tables' own symbols hold either a pointer to the first entry or a number that describes an entry; both are 8
// bytes.
bool read_symbol(const char* name, uint64_t& value) {
  const void* symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr) return false;
  std::memcpy(&value, symbol, sizeof value);
  return true;
}

bool read_symbol(const char* name, const char*& value) {
  uint64_t number = 0;
  if (!read_symbol(name, number)) return false;
  value = reinterpret_cast<const char*>(number);
  return value != nullptr;
}

const char* text_at(const char* entry, uint64_t offset) {
  const char* text;
  std::memcpy(&text, entry + offset, sizeof text);
  return text;
}

template <typename T>
T value_at(const char* entry, uint64_t offset) {
  T value;
  std::memcpy(&value, entry + offset, sizeof value);
  return value;
}

}  // namespace

std::optional<VmTables> VmTables::open() {
  VmTables t;
  const bool complete = read_symbol("gHotSpotVMStructs", t.structs_.base) &&
                        read_symbol("gHotSpotVMStructEntryArrayStride", t.structs_.stride) &&
                        read_symbol("gHotSpotVMStructEntryTypeNameOffset", t.structs_.type) &&
                        read_symbol("gHotSpotVMStructEntryFieldNameOffset", t.structs_.field) &&
                        read_symbol("gHotSpotVMStructEntryIsStaticOffset", t.structs_.is_static) &&
                        read_symbol("gHotSpotVMStructEntryOffsetOffset", t.structs_.offset) &&
                        read_symbol("gHotSpotVMStructEntryAddressOffset", t.structs_.address) &&
                        read_symbol("gHotSpotVMTypes", t.types_.base) &&
                        read_symbol("gHotSpotVMTypeEntryArrayStride", t.types_.stride) &&
                        read_symbol("gHotSpotVMTypeEntryTypeNameOffset", t.types_.name) &&
                        read_symbol("gHotSpotVMTypeEntrySizeOffset", t.types_.size) &&
                        read_symbol("gHotSpotVMIntConstants", t.ints_.base) &&
                        read_symbol("gHotSpotVMIntConstantEntryArrayStride", t.ints_.stride) &&
                        read_symbol("gHotSpotVMIntConstantEntryNameOffset", t.ints_.name) &&
                        read_symbol("gHotSpotVMIntConstantEntryValueOffset", t.ints_.value) &&
                        read_symbol("gHotSpotVMLongConstants", t.longs_.base) &&
                        read_symbol("gHotSpotVMLongConstantEntryArrayStride", t.longs_.stride) &&
                        read_symbol("gHotSpotVMLongConstantEntryNameOffset", t.longs_.name) &&
                        read_symbol("gHotSpotVMLongConstantEntryValueOffset", t.longs_.value);
  if (!complete) return std::nullopt;
  return t;
}

const char* VmTables::find_field(const char* type, const char* field) const {
  for (const char* entry = structs_.base;; entry += structs_.stride) {
    const char* entry_type = text_at(entry, structs_.type);
    if (entry_type == nullptr) return nullptr;
    const char* entry_field = text_at(entry, structs_.field);
    if (entry_field != nullptr && std::strcmp(entry_type, type) == 0 && std::strcmp(entry_field, field) == 0)
      return entry;
  }
}

std::optional<uint64_t> VmTables::offset(const char* type, const char* field) const {
  const char* entry = find_field(type, field);
  if (entry == nullptr || value_at<int32_t>(entry, structs_.is_static) != 0) return std::nullopt;
  return value_at<uint64_t>(entry, structs_.offset);
}

std::optional<uint64_t> VmTables::address(const char* type, const char* field) const {
  const char* entry = find_field(type, field);
  if (entry == nullptr || value_at<int32_t>(entry, structs_.is_static) == 0) return std::nullopt;
  return value_at<uint64_t>(entry, structs_.address);
}

std::optional<int64_t> VmTables::constant(const char* name) const {
  for (const char* entry = ints_.base; text_at(entry, ints_.name) != nullptr; entry += ints_.stride)
    if (std::strcmp(text_at(entry, ints_.name), name) == 0) return value_at<int32_t>(entry, ints_.value);
  for (const char* entry = longs_.base; text_at(entry, longs_.name) != nullptr; entry += longs_.stride)
    if (std::strcmp(text_at(entry, longs_.name), name) == 0) return value_at<int64_t>(entry, longs_.value);
  return std::nullopt;
}

std::optional<uint64_t> VmTables::size(const char* type) const {
  for (const char* entry = types_.base; text_at(entry, types_.name) != nullptr; entry += types_.stride)
    if (std::strcmp(text_at(entry, types_.name), type) == 0) return value_at<uint64_t>(entry, types_.size);
  return std::nullopt;
}

}  // namespace rec::agent
