// SPDX-License-Identifier: Apache-2.0
#include "agent/main/known_vm.h"

#include <doctest/doctest.h>

using rec::agent::why_not_this_vm;

TEST_CASE("jvm: a VM of Java before 17 is refused by its version") {
  constexpr char kName[] = "OpenJDK 64-Bit Server VM";
  CHECK(why_not_this_vm(kName, 0x30010203) == "this is Java 8, and rec records 17 and later");
  CHECK(why_not_this_vm(kName, 0x300B0000) == "this is Java 11, and rec records 17 and later");
  CHECK(why_not_this_vm(kName, 0x30110000).empty());
  CHECK(why_not_this_vm(kName, 0x30190000).empty());
}

TEST_CASE("jvm: HotSpot with the interpreter in C++ is refused by its name") {
  CHECK(why_not_this_vm("OpenJDK 64-Bit Zero VM", 0x30150000) ==
        "this VM is OpenJDK 64-Bit Zero VM, which is not supported: it has no compiled code and no frames of its own");
}

TEST_CASE("jvm: another VM than HotSpot is refused by its name, whatever its version") {
  CHECK(why_not_this_vm("Eclipse OpenJ9 VM", 0x30110000) == "this VM is Eclipse OpenJ9 VM, and rec records HotSpot");
  CHECK_FALSE(why_not_this_vm("Zing 64-Bit Tiered VM", 0x30110000).empty());
  CHECK_FALSE(why_not_this_vm("Substrate VM", 0x30190000).empty());
  CHECK(why_not_this_vm("Java HotSpot(TM) 64-Bit Server VM", 0x30190000).empty());
  CHECK(why_not_this_vm("a name of tomorrow", 0x301C0000).empty());
}
