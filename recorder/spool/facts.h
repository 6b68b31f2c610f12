// SPDX-License-Identifier: Apache-2.0
// Facts are what a reader needs to know of a class, method, loader, thread or stack, copied into the epoch's arena on
// first use. They are plain records at 8-aligned places; texts and frames follow the fixed part. A record is complete
// before its Ref is published (release) and constant afterwards, but for `written_in`, which belongs to the recorder
// thread (fact_records.h). Signal-safe.
//
// Why copied at once: a Klass or Method is only sure to exist while the frame that names it is on the stack being
// walked. A copy outlives the class, so unloading loses no name.
#pragma once

#include <array>
#include <cstdint>

#include "base/file_identity.h"
#include "recorder/spool/ids.h"

namespace rec {

// Text in the VM's memory that is still to be copied, or already copied text.
struct TextView {
  const char* address = nullptr;
  uint16_t size = 0;
};

struct LoaderFact;
struct ClassFact;
struct MethodFact;
struct ThreadFact;
struct StackFact;
struct EncodedFact;
struct DetailFact;

// What the caller knows of a thing it has to tag: the texts point into the VM and are copied by the epoch's CopyFn.
struct LoaderShape {
  LoaderId id{};
  TextView name;        // "app", "platform"; empty if it has none
  Ref<ClassFact> type;  // the loader's own class, tagged in the same epoch before
};
struct ClassShape {
  ClassId id{};
  Ref<LoaderFact> loader;  // nothing: the boot loader
  uint32_t modifiers = 0;  // JVM access flags, 16 bits
  bool hidden = false;
  uint16_t method_count = 0;  // size of the table of method tags; an idnum beyond it still works, a little slower
  TextView name;              // "java/lang/String"
  TextView module_name;       // empty: unnamed module
  TextView module_version;
  TextView module_location;
};
// Tells versions of one method apart (redefinition replaces them, and addresses recur: hotspot-notes H).
struct MethodVersion {
  uint64_t const_method = 0;  // addresses as numbers, compared only
  uint64_t constants = 0;
  uint64_t line_table_head = 0;  // first 8 bytes of the line table
  uint32_t code_size = 0;
  friend bool operator==(const MethodVersion&, const MethodVersion&) = default;
};
struct MethodShape {
  Ref<ClassFact> holder;
  uint16_t idnum = 0;  // original method idnum
  MethodVersion version;
  uint32_t modifiers = 0;
  bool hidden = false;
  TextView name;
  TextView descriptor;
  // As line_table.h has it. nullptr with a size: who tags the method writes it (Epoch::begin_method()).
  const uint8_t* lines = nullptr;
  uint32_t lines_size = 0;  // bytes; 0: no line table
};
// Where a library's code lies, as /proc/PID/maps has it: whole pages. Of several executable segments file_offset is of the first.
struct LoadPlace {
  uint64_t begin = 0, end = 0;
  uint64_t file_offset = 0;   // of begin
  uint64_t bias = 0;          // an address less this is the file's own, as nm has it
  base::FileIdentity file{};  // of a library without a build id: else that tells its file from others
};
// Native code. A library is a class without a loader and a module: its name is the file's ("libc.so.6"); in the places of
// the module's name, version and location stand the bytes of its LoadPlace, its build id, in hexadecimal, and its path. A
// place in it is a method without name and number, whose version's const_method is the address, as the file has it. Its
// name is found by whoever writes it (recorder/symbols). A stub of the VM, which has no file, brings its name along.
struct LibraryShape {
  uint16_t number = 0;  // of no other library of the process; below kMaxLibraries
  TextView name, build_id, path;
  LoadPlace place;
};
struct ThreadShape {
  ThreadId id{};
  int64_t os_thread_id = 0;
  int64_t java_thread_id = 0;  // 0: not a Java thread
  bool is_virtual = false;
  TextView os_name;
  TextView java_name;
  TextView group_name;
};

// Of an event of kind kEncoded: which of JFR's common fields it has, and the bytes of the others.
struct EncodedShape {
  uint32_t type = 0;  // jfr::TypeId
  bool has_duration = false, has_thread = false, has_stack = false;
  bool has_parts = false;  // the others are one text, in parts (text_parts.h)
  const uint8_t* fields = nullptr;
  uint32_t size = 0;
  TextView more;  // behind the fields: still to be copied, as names are
};

// Of an event that refers to more than a slot has room for. What is not there is empty, or 0.
struct DetailShape {
  Ref<ClassFact> klass;
  Ref<ThreadFact> thread;  // another one than the event's,
  Ref<StackFact> stack;    // and its stack
  std::array<uint64_t, 6> numbers{};
};

// As async-profiler numbers them, too. kJit: of the C2 compiler, or of one that is not told; kC1: of the C1 compiler.
// kNative: a native method of Java; kCpp: code of a library, in whatever language, or a stub of the VM.
enum class FrameType : uint8_t {
  kInterpreted = 0,
  kJit = 1,
  kInlined = 2,
  kNative = 3,
  kCpp = 4,
  kKernel = 5,
  kC1 = 6
};
// What it stands in is a place in a library, in the kernel, or in a stub, and no method of Java.
constexpr bool is_native_place(FrameType type) { return type == FrameType::kCpp || type == FrameType::kKernel; }

// One frame of a stack, innermost first. method nothing: unknown, written as the method "unknown".
struct Frame {
  Ref<MethodFact> method;
  uint16_t bci = 0;
  FrameType type = FrameType::kInterpreted;
  uint8_t flags = 0;  // kNoBci
  static constexpr uint8_t kNoBci = 1;
  friend bool operator==(const Frame&, const Frame&) = default;
};
static_assert(sizeof(Frame) == 8, "stacks are compared and hashed as bytes");

}  // namespace rec
