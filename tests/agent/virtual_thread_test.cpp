// SPDX-License-Identifier: Apache-2.0
// References as collectors write them, the code that enters continuations, and which virtual thread a thread carries.
#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/hotspot/vm/thread_name.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "agent/hotspot/processor/enter_special.h"
#include "agent/hotspot/vm/heap_object.h"

using namespace rec::agent;

namespace {

using Reference = Layout::Object::Reference;

uint64_t address_of(const void* at) { return reinterpret_cast<uint64_t>(at); }

// An object of words: mark, class, and what follows.
using Object = std::array<uint64_t, 6>;

constexpr uint64_t kThreadKlass = 0x300, kStringClass = 0x400, kBytesClass = 0x500;

// A JavaThread of two words, a handle of the thread that it runs as and that thread's id; and that thread.
struct Carrier {
  Carrier() {
    layout.object.klass = 8;
    layout.object.klass_word = Layout::Object::KlassWord::kWide;
    layout.object.reference = Reference::kWide;
    layout.thread.running = 0;
    layout.thread_object.virtual_class = kThreadKlass;
    layout.thread_object.string_class = kStringClass;
    layout.thread_object.bytes_class = kBytesClass;
    layout.thread_object.id = 16;
    layout.thread_object.name = 24;
    layout.thread_object.continuation = 32;
    layout.thread_object.value = 16;
    layout.thread_object.coder = 24;
    layout.thread_object.length = 16;
    layout.thread_object.bytes = 20;
    set_name("v7");
  }
  void set_name(const std::string& bytes, uint8_t coder = 0) {
    value.assign(3 + bytes.size() / 8 + 1, 0);
    value[0] = 1;
    value[1] = kBytesClass;
    const auto size = static_cast<uint32_t>(bytes.size());
    std::memcpy(reinterpret_cast<char*>(value.data()) + 16, &size, 4);
    std::memcpy(reinterpret_cast<char*>(value.data()) + 20, bytes.data(), bytes.size());
    string = {1, kStringClass, address_of(value.data()), coder, 0, 0};
    thread = {1, kThreadKlass, 77, address_of(string.data()), 0, 0};
  }
  std::string name(int64_t id = 77, size_t room = 64) {
    std::string text(room, '\0');
    text.resize(carried_thread_name(layout, address_of(words.data()), id, text.data(), room));
    return text;
  }
  int64_t id() { return carried_thread_id(layout, address_of(words.data()), 1, last); }

  Layout layout;
  std::vector<uint64_t> value;
  Object string{}, thread{};
  uint64_t reference = address_of(thread.data());
  std::array<uint64_t, 2> words{address_of(&reference), 77};
  LastCarried last;
};

std::string utf16(const std::u16string& text) { return {reinterpret_cast<const char*>(text.data()), text.size() * 2}; }

}  // namespace

TEST_CASE("a virtual thread's id is the VM's, and before 24 its object's") {
  Carrier carrier;
  CHECK(carrier.id() == 77);
  carrier.thread[1] = 0x999;  // a platform thread
  CHECK(carrier.id() == 0);
  carrier.layout.thread.owner_id = 8;
  CHECK(carrier.id() == 77);
  for (const uint64_t none : {uint64_t{1}, uint64_t{0}, ~uint64_t{0}}) {  // its own, none yet
    carrier.words[1] = none;
    CHECK(carrier.id() == 0);
  }
}

TEST_CASE("race: a coloured reference that has not changed is to the same thread, wherever that lies now") {
  Carrier carrier;
  uint64_t bad = 0;
  carrier.layout.zgc.bad_colours = address_of(&bad);
  CHECK(carrier.id() == 77);
  carrier.thread[1] = 0;  // moved
  CHECK(carrier.id() == 77);
  Object other{1, kThreadKlass, 78, 0, 0, 0};
  carrier.reference = address_of(other.data());
  CHECK(carrier.id() == 78);
  bad = ~0ull;  // nothing is sure, and nothing has changed
  CHECK(carrier.id() == 78);
  carrier.reference = address_of(carrier.thread.data());
  CHECK(carrier.id() == 0);
}

TEST_CASE("a virtual thread's name is written as UTF-8") {
  Carrier carrier;
  CHECK(carrier.name() == "v7");
  carrier.set_name("caf\xe9");
  CHECK(carrier.name() == "caf\xc3\xa9");
  carrier.set_name(utf16(u"\u4e2d\U0001f600!"), 1);
  CHECK(carrier.name() == "\xe4\xb8\xad\xf0\x9f\x98\x80!");
  carrier.set_name("");
  CHECK(carrier.name().empty());
}

TEST_CASE("a name without room for all of it ends with a whole character") {
  Carrier carrier;
  carrier.set_name(std::string(1000, 'x'));
  CHECK(carrier.name(77, 40) == std::string(40, 'x'));
  carrier.set_name(std::string(10, '\xe9'));
  CHECK(carrier.name(77, 7) == "\xc3\xa9\xc3\xa9\xc3\xa9");
}

TEST_CASE("damage: a name that cannot be proved is none") {
  Carrier carrier;
  CHECK(carrier.name(78).empty());  // another thread's
  carrier.string[1] = 0x999;
  CHECK(carrier.name().empty());
  carrier.set_name("v7");
  carrier.value[1] = 0x999;
  CHECK(carrier.name().empty());
  carrier.set_name("v7", 2);
  CHECK(carrier.name().empty());
  carrier.set_name(utf16(std::u16string(1, 0xd800)), 1);  // half a character
  CHECK(carrier.name() == "?");
}

// A JavaThread whose first word is the handle of its own Thread, of any class.
TEST_CASE("a thread's own name is that of its Thread, and the reference to it tells when there is another") {
  Carrier own;
  own.layout.thread.object = 0;
  own.layout.thread.running = kAbsent;
  own.layout.thread_object.virtual_class = 0;
  own.thread[1] = 0x999;
  const uint64_t java_thread = address_of(own.words.data());
  std::string name(64, '\0');
  name.resize(own_thread_name(own.layout, java_thread, 77, name.data(), name.size()));
  CHECK(name == "v7");
  CHECK(own_thread_name(own.layout, java_thread, 78, name.data(), name.size()) == 0);  // another thread's
  const uint64_t reference = own_name_reference(own.layout, java_thread);
  CHECK(reference == address_of(own.string.data()));
  const Object other = own.string;
  own.thread[3] = address_of(other.data());
  CHECK(own_name_reference(own.layout, java_thread) != reference);
  own.layout.thread.object = kAbsent;  // not known where it is
  CHECK(own_thread_name(own.layout, java_thread, 77, name.data(), name.size()) == 0);
  CHECK(own_name_reference(own.layout, java_thread) == 0);
}

TEST_CASE("references are read as their collector writes them") {
  Layout layout;
  layout.object.narrow_base = 0x100000;
  layout.object.narrow_shift = 3;
  uint64_t to = 1;
  const uint64_t narrow = 0xffffffff00000010, none = 0, wide = 0x7f0012345678;
  REQUIRE(load_reference(layout, address_of(&narrow), Reference::kNarrow, to));
  CHECK(to == 0x100080);
  REQUIRE(load_reference(layout, address_of(&none), Reference::kNarrow, to));
  CHECK(to == 0);
  REQUIRE(load_reference(layout, address_of(&wide), Reference::kWide, to));
  CHECK(to == wide);
  CHECK_FALSE(load_reference(layout, address_of(&wide), Reference::kUnknown, to));
}

TEST_CASE("a coloured reference's address begins above its colour; another colour than the newest is not followed") {
  Layout layout;
  const uint64_t address = 0x40000001238;
  uint64_t to = 0, bad = 0xe000;
  layout.zgc.bad_colours = address_of(&bad);
  for (unsigned colour = 0; colour < 4; ++colour) {
    const uint64_t reference = address << (13 + colour) | 0x1000ull << colour | 0x550;
    bad = 0xf000 & ~(0x1000ull << colour);
    REQUIRE(load_reference(layout, address_of(&reference), Reference::kColoured, to));
    CHECK(to == address);
    bad = 0x1000ull << colour;
    CHECK_FALSE(load_reference(layout, address_of(&reference), Reference::kColoured, to));
  }
  const uint64_t null = 0x1550;
  REQUIRE(load_reference(layout, address_of(&null), Reference::kColoured, to));
  CHECK(to == 0);
}

TEST_CASE("golden: how a continuation is entered is read from the code that does it") {
  std::vector<uint8_t> code = {0x55, 0x48, 0x8b, 0xec, 0x48, 0x83, 0xec, 0x40,  // push rbp; mov rbp, rsp; sub rsp, 64
                               0x49, 0x8b, 0x87, 0x38, 0x05, 0x00, 0x00,        // mov rax, [r15 + 0x538]
                               0x48, 0x89, 0x44, 0x24, 0x08,                    // mov [rsp + 8], rax
                               0x49, 0x89, 0xa7, 0x38, 0x05, 0x00, 0x00,        // mov [r15 + 0x538], rsp
                               0x48, 0x89, 0x74, 0x24, 0x10, 0x89, 0x4c, 0x24,
                               0x20,                                      // mov [rsp + 16], rsi; mov [rsp + 32], ecx
                               0x48, 0x85, 0xd2, 0x75, 0x02, 0x90, 0x90,  // test rdx, rdx; jne +2; nop; nop
                               0xe8, 0x00, 0x01, 0x00, 0x00, 0x90};       // call +256
  const uint64_t begin = address_of(code.data());
  EnterSpecial read;
  REQUIRE(read_enter_special(begin, begin + code.size(), read));
  CHECK(read.thread_entry == 0x538);
  CHECK(read.continuation == 16);
  CHECK(read.is_virtual == 32);
  CHECK(read.return_pc == begin + code.size() - 1);
  CHECK(read.thaw == read.return_pc + 256);
  code[23] = 0x30;  // another word is stored than was loaded
  EnterSpecial none;
  CHECK_FALSE(read_enter_special(begin, begin + code.size(), none));
}
