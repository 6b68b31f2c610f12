// SPDX-License-Identifier: Apache-2.0
// Adapters as JDK 17 and 25 made them, without most of the registers that they save.
#include "agent/hotspot/x86_64/adapter_shape.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

using rec::agent::x86_64::AdapterReturn;

namespace {

constexpr uint64_t kInR13 = AdapterReturn::kInSender;

struct Expected {
  const char* at;
  std::initializer_list<uint8_t> bytes;
  AdapterReturn::Place place;
  uint64_t above, caller_above;
};

// Each instruction, and where the return address is before it.
void check(std::initializer_list<Expected> code) {
  std::array<uint8_t, 256> memory;
  memory.fill(0xf4);
  uint8_t* to = memory.data() + 16;
  const auto begin = reinterpret_cast<uint64_t>(to);
  for (const Expected& each : code) to = std::copy(each.bytes.begin(), each.bytes.end(), to);
  uint64_t pc = begin;
  for (const Expected& each : code) {
    CAPTURE(std::string(each.at));
    const AdapterReturn found = rec::agent::x86_64::return_in_adapter(begin, reinterpret_cast<uint64_t>(to), pc);
    CHECK(found.place == each.place);
    if (each.place != AdapterReturn::kAtSender) CHECK(found.caller_above == each.caller_above);
    if (each.place == AdapterReturn::kOnStack) CHECK(found.above == each.above);
    pc += each.bytes.size();
  }
}

constexpr auto kOnStack = AdapterReturn::kOnStack, kAtSender = AdapterReturn::kAtSender,
               kInRax = AdapterReturn::kInRegister;

}  // namespace

TEST_CASE("from compiled to interpreted code the return address is known at every instruction") {
  check({{"jmp to who asks for another method", {0xe9, 0, 0x10, 0, 0}, kOnStack, 0, 8},
         {"17: mov r13, rsp", {0x4c, 0x8b, 0xec}, kOnStack, 0, 8},
         {"mov rax, [rsp]", {0x48, 0x8b, 0x04, 0x24}, kAtSender, 0, 0},
         {"and rsp, -16", {0x48, 0x83, 0xe4, 0xf0}, kAtSender, 0, 0},
         {"pushf", {0x9c}, kAtSender, 0, 0},
         {"sub rsp, 128", {0x48, 0x81, 0xec, 0x80, 0, 0, 0}, kAtSender, 0, 0},
         {"mov [rsp], rax", {0x48, 0x89, 0x04, 0x24}, kAtSender, 0, 0},
         {"call", {0xe8, 0, 0x10, 0, 0}, kAtSender, 0, 0},
         {"mov rax, [rsp]", {0x48, 0x8b, 0x04, 0x24}, kAtSender, 0, 0},
         {"add rsp, 128", {0x48, 0x81, 0xc4, 0x80, 0, 0, 0}, kAtSender, 0, 0},
         {"popf", {0x9d}, kAtSender, 0, 0},
         {"mov rsp, r13", {0x49, 0x8b, 0xe5}, kAtSender, 0, 0},
         {"pop rax", {0x58}, kOnStack, 0, 8},
         {"mov r13, rsp", {0x4c, 0x8b, 0xec}, kInRax, 0, 0},
         {"sub rsp, 32", {0x48, 0x83, 0xec, 0x20}, kInRax, 0, kInR13},
         {"mov [rsp], rax", {0x48, 0x89, 0x04, 0x24}, kInRax, 0, kInR13},
         {"mov [rsp + 16], rsi", {0x48, 0x89, 0x74, 0x24, 0x10}, kOnStack, 0, kInR13},
         {"jmp rcx", {0xff, 0xe1}, kOnStack, 0, kInR13}});
  check({{"25: mov rsp, r13", {0x49, 0x8b, 0xe5}, kAtSender, 0, 0},
         {"lea r13, [rsp + 8]", {0x4c, 0x8d, 0x6c, 0x24, 0x08}, kOnStack, 0, 8},
         {"pop rax", {0x58}, kOnStack, 0, 8},
         {"sub rsp, 16", {0x48, 0x83, 0xec, 0x10}, kInRax, 0, kInR13},
         {"push rax", {0x50}, kInRax, 0, kInR13},
         {"mov [rsp + 8], rsi", {0x48, 0x89, 0x74, 0x24, 0x08}, kOnStack, 0, kInR13},
         {"jmp rcx", {0xff, 0xe1}, kOnStack, 0, kInR13}});
}

TEST_CASE("what an adapter saves before it asks whether a class is unloaded lies below the return address") {
  check({{"push rax", {0x50}, kOnStack, 0, 8},
         {"push rcx", {0x51}, kOnStack, 8, 16},
         {"sub rsp, 128", {0x48, 0x81, 0xec, 0x80, 0, 0, 0}, kOnStack, 16, 24},
         {"call", {0xe8, 0, 0x10, 0, 0}, kOnStack, 144, 152},
         {"add rsp, 128", {0x48, 0x81, 0xc4, 0x80, 0, 0, 0}, kOnStack, 144, 152},
         {"pop rcx", {0x59}, kOnStack, 16, 24},
         {"mov r10, rax", {0x4c, 0x8b, 0xd0}, kOnStack, 8, 16},
         {"pop rax", {0x58}, kOnStack, 8, 16},
         {"cmp r10, 0", {0x49, 0x83, 0xfa, 0x00}, kOnStack, 0, 8},
         {"jne", {0x0f, 0x85, 0x05, 0, 0, 0}, kOnStack, 0, 8},
         {"jmp away", {0xe9, 0, 0x10, 0, 0}, kOnStack, 0, 8},
         {"pop rax", {0x58}, kOnStack, 0, 8},
         {"mov r13, rsp", {0x4c, 0x8b, 0xec}, kInRax, 0, 0},
         {"mov [rsp], rax", {0x48, 0x89, 0x04, 0x24}, kInRax, 0, kInR13},
         {"jmp rcx", {0xff, 0xe1}, kOnStack, 0, kInR13}});
}

TEST_CASE("a frame around a barrier of Shenandoah's, as 28 makes it, tells by its frame pointer") {
  constexpr auto kByFp = AdapterReturn::kByFp;
  check({{"testb [r15 + 56], 17", {0x41, 0xf6, 0x47, 0x38, 0x11}, kOnStack, 0, 8},
         {"je", {0x0f, 0x84, 0x05, 0, 0, 0}, kOnStack, 0, 8},
         {"push rbp", {0x55}, kOnStack, 0, 8},
         {"mov rbp, rsp", {0x48, 0x8b, 0xec}, kOnStack, 8, 16},
         {"push rax", {0x50}, kByFp, 0, kInR13},
         {"sub rsp, 192", {0x48, 0x81, 0xec, 0xc0, 0, 0, 0}, kByFp, 0, kInR13},
         {"mov [rsp], rax", {0x48, 0x89, 0x04, 0x24}, kByFp, 0, kInR13},
         {"sub rsp, 8", {0x48, 0x83, 0xec, 0x08}, kByFp, 0, kInR13},
         {"call", {0xe8, 0, 0x10, 0, 0}, kByFp, 0, kInR13},
         {"add rsp, 8", {0x48, 0x83, 0xc4, 0x08}, kByFp, 0, kInR13},
         {"add rsp, 192", {0x48, 0x81, 0xc4, 0xc0, 0, 0, 0}, kByFp, 0, kInR13},
         {"pop rax", {0x58}, kByFp, 0, kInR13},
         {"leave", {0xc9}, kByFp, 0, kInR13},
         {"lea r13, [rsp + 8]", {0x4c, 0x8d, 0x6c, 0x24, 0x08}, kOnStack, 0, 8},
         {"pop rax", {0x58}, kOnStack, 0, 8},
         {"sub rsp, 16", {0x48, 0x83, 0xec, 0x10}, kInRax, 0, kInR13},
         {"push rax", {0x50}, kInRax, 0, kInR13},
         {"jmp rcx", {0xff, 0xe1}, kOnStack, 0, kInR13}});
}

TEST_CASE("from interpreted to compiled code the return address is known at every instruction") {
  check({{"17: mov rax, [rsp]", {0x48, 0x8b, 0x04, 0x24}, kOnStack, 0, 8},
         {"mov r11, rsp", {0x4c, 0x8b, 0xdc}, kInRax, 0, kInR13},
         {"sub rsp, 16", {0x48, 0x83, 0xec, 0x10}, kInRax, 0, kInR13},
         {"and rsp, -16", {0x48, 0x83, 0xe4, 0xf0}, kInRax, 0, kInR13},
         {"push rax", {0x50}, kInRax, 0, kInR13},
         {"mov rax, r11", {0x49, 0x8b, 0xc3}, kOnStack, 0, kInR13},
         {"mov rsi, [rax + 16]", {0x48, 0x8b, 0x70, 0x10}, kOnStack, 0, kInR13},
         {"jmp r11", {0x41, 0xff, 0xe3}, kOnStack, 0, kInR13}});
  check({{"25: mov r11, rsp", {0x4c, 0x8b, 0xdc}, kOnStack, 0, 8},
         {"pop rax", {0x58}, kOnStack, 0, 8},
         {"and rsp, -16", {0x48, 0x83, 0xe4, 0xf0}, kInRax, 0, kInR13},
         {"push rax", {0x50}, kInRax, 0, kInR13},
         {"mov rax, r11", {0x49, 0x8b, 0xc3}, kOnStack, 0, kInR13},
         {"jmp r11", {0x41, 0xff, 0xe3}, kOnStack, 0, kInR13}});
}

TEST_CASE("what is no adapter tells nothing") {
  check({{"ret", {0xc3}, AdapterReturn::kUnknown, 0, kInR13}, {"hlt", {0xf4}, AdapterReturn::kUnknown, 0, kInR13}});
}
