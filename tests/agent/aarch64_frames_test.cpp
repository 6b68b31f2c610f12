// SPDX-License-Identifier: Apache-2.0
// Code of HotSpot for aarch64, decoded wherever the tests run: no such processor delivers signals amid a prologue here.
#include <doctest/doctest.h>

#include <vector>

#include "agent/hotspot/aarch64/adapter_shape.h"
#include "agent/hotspot/aarch64/code_path.h"
#include "agent/hotspot/aarch64/enter_special.h"
#include "agent/hotspot/aarch64/frame_shape.h"
#include "agent/hotspot/aarch64/frame_slots.h"
#include "agent/hotspot/aarch64/interpreter_map.h"
#include "agent/hotspot/aarch64/registers.h"

namespace {

using namespace rec::agent::aarch64;
using Words = std::vector<uint32_t>;

// A place for code, with room behind it that traps.
struct CodeOf {
  explicit CodeOf(Words code) : size(4 * code.size()), words(std::move(code)) { words.resize(words.size() + 256); }
  uint64_t at(size_t index) const { return reinterpret_cast<uint64_t>(words.data() + index); }
  uint64_t begin() const { return at(0); }
  uint64_t end() const { return begin() + size; }
  const uint64_t size;
  Words words;
};

bool in_link(const FrameShape& shape, uint64_t size) { return shape.return_in_link() && shape.size() == size; }
bool on_stack(const FrameShape& shape, uint64_t at, uint64_t size) {
  return !shape.return_in_link() && shape.return_offset == at && shape.size() == size;
}

// A compiled method with a frame of six words.
const CodeOf& method() {
  static const CodeOf kMethod({
      0xd14053e9,  //  0  sub x9, sp, #0x14, lsl #12
      0xf900013f,  //     str xzr, [x9]
      0xd100c3ff,  //  2  sub sp, sp, #0x30
      0xa9027bfd,  //     stp x29, x30, [sp, #0x20]
      0xb9402388,  //  4  ldr w8, [x28, #0x20]
      0x97fffffb,  //     bl 0
      0xd503201f,  //  6  nop
      0xa9427bfd,  //     ldp x29, x30, [sp, #0x20]
      0x9100c3ff,  //  8  add sp, sp, #0x30
      0xf9422788,  //     ldr x8, [x28, #0x448]
      0xeb2863ff,  // 10  cmp sp, x8
      0x54000048,  //     b.hi 13
      0xd65f03c0,  // 12  ret
      0x10fffe68,  //     adr x8, 0
      0xf9022b88,  // 14  str x8, [x28, #0x450]
      0x17fffff1,  //     b 0
  });
  return kMethod;
}

FrameShape shape_in_method(size_t index) {
  return shape_at({method().begin(), 6, 16}, method().begin(), method().at(index));
}

}  // namespace

TEST_CASE(
    "aarch64: before its frame stands, a method's return address is in the link register, and sp has moved or not") {
  CHECK(in_link(shape_in_method(0), 0));
  CHECK(in_link(shape_in_method(2), 0));
  CHECK(in_link(shape_in_method(3), 0x30));
}

TEST_CASE("aarch64: a frame that stands has the return address below its end, and x29 below that") {
  for (const size_t index : {4, 5, 6}) {
    CAPTURE(index);
    const FrameShape shape = shape_in_method(index);
    CHECK(on_stack(shape, 0x28, 0x30));
    CHECK(shape.saved_fp_offset == 0x20);
  }
}

TEST_CASE(
    "aarch64: a frame that is taken down leaves the return address in the link register before sp is the caller's") {
  CHECK(on_stack(shape_in_method(7), 0x28, 0x30));
  CHECK(in_link(shape_in_method(8), 0x30));
  for (const size_t index : {9, 10, 11, 12}) CHECK(in_link(shape_in_method(index), 0));
}

TEST_CASE("aarch64: the slow path of the poll at a return has no frame") {
  for (const size_t index : {13, 14, 15}) CHECK(in_link(shape_in_method(index), 0));
}

TEST_CASE("aarch64: a large frame is whole once sp has been lowered by a register") {
  const CodeOf code({0xa9bf7bfd,    // stp x29, x30, [sp, #-16]!
                     0xd2840008,    // mov x8, #0x2000
                     0xcb2863ff,    // sub sp, sp, x8
                     0xd503201f});  // nop
  const FramedCode framed{code.begin(), 0x2010 / 8, 16};
  CHECK(in_link(shape_at(framed, code.begin(), code.at(0)), 0));
  CHECK(on_stack(shape_at(framed, code.begin(), code.at(1)), 8, 16));
  CHECK(on_stack(shape_at(framed, code.begin(), code.at(2)), 8, 16));
  CHECK(on_stack(shape_at(framed, code.begin(), code.at(3)), 0x2008, 0x2010));
}

TEST_CASE("aarch64: a stub that sets x29 is left by it, and by the link register before and behind") {
  const CodeOf code({0xa9bf7bfd,    // stp x29, x30, [sp, #-16]!
                     0x910003fd,    // mov x29, sp
                     0xd10103ff,    // sub sp, sp, #0x40
                     0xd63f0100,    // blr x8
                     0x910003bf,    // mov sp, x29
                     0xa8c17bfd,    // ldp x29, x30, [sp], #16
                     0xd65f03c0});  // ret
  const auto shape = [&](size_t index) { return stub_shape_at(code.begin(), code.end(), code.at(index)); };
  CHECK(in_link(shape(0).frame, 0));
  for (const size_t index : {2, 3, 4}) CHECK(shape(index).above_fp == 8);
  CHECK(shape(1).above_fp == 0);
  CHECK(on_stack(shape(1).frame, 8, 16));
  CHECK(shape(5).above_fp == 0);
  CHECK(on_stack(shape(5).frame, 8, 16));
  CHECK(in_link(shape(6).frame, 0));
}

TEST_CASE("aarch64: what takes a frame down by x29 and jumps away is not followed as if it went by sp") {
  const CodeOf code({0x910003bf,    // mov sp, x29
                     0xa8c17bfd,    // ldp x29, x30, [sp], #16
                     0x17ff00be});  // b, to another stub
  CodePath whole(code.at(0), code.begin(), code.end()), rest(code.at(1), code.begin(), code.end());
  CHECK(whole.follow() == CodePath::kByRegister);
  CHECK(whole.base() == 29);
  CHECK(rest.follow() == CodePath::kAway);
  CHECK(rest.return_at() == 8);
}

TEST_CASE("aarch64: an interpreter's entry is left by registers until its frame pointer is set") {
  const CodeOf code({0xf9400582,    // ldr x2, [x12, #8]
                     0xa9ba5be8,    // stp x8, x22, [sp, #-96]!
                     0xa90333ff,    // stp xzr, x12, [sp, #48]
                     0xa9057bfd,    // stp x29, x30, [sp, #80]
                     0x910143fd,    // add x29, sp, #80
                     0xf940019a,    // ldr x26, [x12]
                     0xa9044fff,    // stp xzr, x19, [sp, #64]
                     0xd503201f});  // nop
  InterpreterMap map;
  map.add_entry(code.begin(), code.end());
  REQUIRE(map.builds_frames());
  const InterpreterEntry* entry = map.entry_at(code.begin());
  REQUIRE(entry != nullptr);
  for (const size_t index : {0, 3, 4}) CHECK_FALSE(entry->fp_set(code.at(index)));
  for (const size_t index : {5, 6}) CHECK(entry->half_built(code.at(index), 0, 0));
  CHECK_FALSE(entry->half_built(code.at(7), 0, 0));
  Registers registers;
  registers[Registers::kX30] = 0x1234;
  registers[Registers::kX19] = 0x5678;
  CHECK(entry->entering(code.at(2), registers).pc == 0x1234);
  CHECK(entry->entering(code.at(2), registers).sp == 0x5678);
}

TEST_CASE("aarch64: an entry that is not as we know it is none") {
  const CodeOf code({0xa9057bfd, 0x910143fd, 0xa9044fff});  // the method is nowhere stored
  InterpreterMap map;
  map.add_entry(code.begin(), code.end());
  CHECK_FALSE(map.builds_frames());
}

TEST_CASE("aarch64: behind an interpreted frame's end the caller's sp is in x20 until it is taken") {
  const CodeOf code({0xf85f83b4,    // ldur x20, [x29, #-8]
                     0x910003bf,    // mov sp, x29
                     0xa8c17bfd,    // ldp x29, x30, [sp], #16
                     0x927cee9f,    // and sp, x20, #-16
                     0xd65f03c0});  // ret
  InterpreterMap map;
  map.add_exits(code.begin(), code.end());
  CHECK(map.exit_at(code.at(2)) == nullptr);
  const InterpreterExit* exit = map.exit_at(code.at(3));
  REQUIRE(exit != nullptr);
  Registers registers;
  registers[Registers::kX30] = 0x1234;
  registers[Registers::kX20] = 0x5600;
  CHECK(exit->leaving(code.at(3), 0x1000, registers).pc == 0x1234);
  CHECK(exit->leaving(code.at(3), 0x1000, registers).sp == 0x5600);
  CHECK(exit->leaving(code.at(4), 0x2000, registers).sp == 0x2000);
  CHECK(map.exit_at(code.at(5)) == nullptr);
}

TEST_CASE(
    "aarch64: an interpreted frame that an exception leaves pushes the return address while it asks for a handler") {
  const CodeOf code({0x910003bf,    // mov sp, x29
                     0xa8c17bfd,    // ldp x29, x30, [sp], #16
                     0x927cee9f,    // and sp, x20, #-16
                     0xa9bf7be0,    // stp x0, x30, [sp, #-16]!
                     0xaa1c03e0,    // mov x0, x28
                     0xd63f0100,    // blr x8
                     0xaa0003e1,    // mov x1, x0
                     0xa8c17be0,    // ldp x0, x30, [sp], #16
                     0xaa1e03e3,    // mov x3, x30
                     0xd61f0020});  // br x1
  InterpreterMap map;
  map.add_exits(code.begin(), code.end());
  const InterpreterExit* exit = map.exit_at(code.at(6));
  REQUIRE(exit != nullptr);
  for (const size_t index : {2, 3, 8, 9}) CHECK_FALSE(exit->is_pushed(code.at(index)));
  for (const size_t index : {4, 5, 6, 7}) CHECK(exit->is_pushed(code.at(index)));
  const uint64_t stack[2] = {7, 0x1234};
  const auto sp = reinterpret_cast<uint64_t>(stack);
  Registers registers;
  registers[Registers::kX30] = 0x99;
  CHECK(exit->leaving(code.at(6), sp, registers).pc == 0x1234);
  CHECK(exit->leaving(code.at(6), sp, registers).sp == sp + 16);
  CHECK(exit->leaving(code.at(9), sp, registers).pc == 0x99);
}

TEST_CASE("aarch64: an intrinsic's entry puts its return address aside before it calls") {
  const CodeOf code({0xfd400280,    // ldr d0, [x20]
                     0x9100027f,    // mov sp, x19
                     0xaa1e03f7,    // mov x23, x30
                     0xd63f0100,    // blr x8
                     0xd61f02e0});  // br x23
  InterpreterMap map;
  map.add_entry(code.begin(), code.end());
  const InterpreterEntry* entry = map.entry_at(code.begin());
  REQUIRE(entry != nullptr);
  CHECK_FALSE(entry->builds_frame());
  Registers registers;
  registers[Registers::kX30] = 0x30;
  registers[Registers::kX23] = 0x23;
  registers[Registers::kX19] = 0x1900;
  for (const size_t index : {0, 1, 2}) CHECK(entry->frameless(code.at(index), 0x1000, true, registers).pc == 0x30);
  for (const size_t index : {3, 4}) CHECK(entry->frameless(code.at(index), 0x1000, true, registers).pc == 0x23);
  CHECK(entry->frameless(code.at(0), 0x1000, true, registers).sp == 0x1900);
  CHECK(entry->frameless(code.at(4), 0x1000, true, registers).sp == 0x1000);
}

TEST_CASE("aarch64: a call that goes by a trampoline has been made, and nothing else") {
  const CodeOf code({0xd503201f, 0x58000048, 0xd61f0100});  // nop; ldr x8, the word behind; br x8
  CHECK(in_static_call_stub(code.at(1)));
  CHECK(in_static_call_stub(code.at(2)));
  CHECK_FALSE(in_static_call_stub(code.at(3)));
}

TEST_CASE(
    "aarch64: an exception blob has the address that threw in x3 at its begin, and again when its frame has gone") {
  const CodeOf code({0xa9bf7bfd,    // stp x29, x30, [sp, #-16]!
                     0xf9000380,    // str x0, [x28]
                     0xd63f0100,    // blr x8
                     0xa8c10ffd,    // ldp x29, x3, [sp], #16
                     0xaa0003e8,    // mov x8, x0
                     0xd61f0100});  // br x8
  for (const size_t index : {0, 4, 5}) CHECK(exception_pc_in_register(code.begin(), code.at(index)));
  for (const size_t index : {1, 2, 3}) CHECK_FALSE(exception_pc_in_register(code.begin(), code.at(index)));
}

TEST_CASE("aarch64: an adapter's caller has its sp in sp, until that is copied to x19") {
  const CodeOf code({0xf9400188,    // ldr x8, [x12]
                     0x910003f3,    // mov x19, sp
                     0xd10083ff,    // sub sp, sp, #0x20
                     0xf90007e0,    // str x0, [sp, #8]
                     0xd61f0100});  // br x8
  const auto found = [&](size_t index) { return return_in_adapter(code.begin(), code.end(), code.at(index)); };
  for (size_t index = 0; index < 5; ++index) CHECK(found(index).place == AdapterReturn::kInRegister);
  for (const size_t index : {0, 1}) CHECK(found(index).caller_above == 0);
  for (const size_t index : {2, 3, 4}) CHECK(found(index).caller_above == AdapterReturn::kInSender);
}

TEST_CASE("aarch64: an adapter that asks the VM to patch its caller's call has a frame by x29 meanwhile") {
  const CodeOf code({0xd61f0100,    // br x8: of the way to compiled code
                     0x54000040,    // b.eq 3
                     0x14000390,    // b, to where a wrong receiver is handled
                     0xb4000108,    // cbz x8, 11
                     0xa9bf7bfd,    // stp x29, x30, [sp, #-16]!
                     0x910003fd,    // mov x29, sp
                     0x0c882fe0,    // st1 {v0.1d-v3.1d}, [sp], x8
                     0xd63f0100,    // blr x8
                     0xa8c173fb,    // ldp x27, x28, [sp], #16
                     0x910003bf,    // mov sp, x29
                     0xa8c17bfd,    // ldp x29, x30, [sp], #16
                     0x910003f3,    // mov x19, sp
                     0xd61f0100});  // br x8
  const auto found = [&](size_t index) { return return_in_adapter(code.begin(), code.end(), code.at(index)); };
  for (const size_t index : {6, 7, 8, 9}) CHECK(found(index).place == AdapterReturn::kByFp);
  for (const size_t index : {0, 1, 3, 4, 11, 12}) CHECK(found(index).place == AdapterReturn::kInRegister);
  for (const size_t index : {1, 2, 3, 4, 11}) CHECK(found(index).caller_above == 0);
  for (const size_t index : {0, 12}) CHECK(found(index).caller_above == AdapterReturn::kInSender);
  for (const size_t index : {5, 10}) {
    CHECK(found(index).place == AdapterReturn::kOnStack);
    CHECK(found(index).above == 8);
    CHECK(found(index).caller_above == 16);
  }
}

TEST_CASE("aarch64: what enters continuations tells where the entry is, and where frames return to") {
  const CodeOf code({0xa9bf7bfd,  // stp x29, x30, [sp, #-16]!
                     0xd10143ff,  // sub sp, sp, #0x50
                     0xf9426f88,  // ldr x8, [x28, #0x4d8]
                     0xf90003e8,  // str x8, [sp]
                     0x910003e8,  // mov x8, sp
                     0xf9026f88,  // str x8, [x28, #0x4d8]
                     0xf90007e1,  // str x1, [sp, #8]
                     0xb9001be3,  // str w3, [sp, #0x18]
                     0xf9000bff,  // str xzr, [sp, #0x10]
                     0xb5000062,  // cbnz x2, 12
                     0x97ffffba,  // bl
                     0x17fffff5,  // b 0
                     0x97ffffb8,  // bl
                     0xd65f03c0,  // ret
                     0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f, 0xd503201f});
  EnterSpecial read;
  REQUIRE(read_enter_special(code.begin(), code.end(), read));
  CHECK(read.thread_entry == 0x4d8);
  CHECK(read.continuation == 8);
  CHECK(read.is_virtual == 0x18);
  CHECK(read.return_pc == code.at(13));
  CHECK_FALSE(read_enter_special(code.at(3), code.end(), read));
}

TEST_CASE("aarch64: a return address loses its signature, and nothing else") {
  CHECK(without_signature(0x007f'ffff'9abc'def0) == 0xffff'9abc'def0);
  CHECK(without_signature(0xff3c'aaaa'9abc'def0) == 0xaaaa'9abc'def0);
  CHECK(without_signature(0xffff'9abc'def0) == 0xffff'9abc'def0);
}
