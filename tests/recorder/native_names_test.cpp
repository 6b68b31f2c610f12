// SPDX-License-Identifier: Apache-2.0
// What functions of native code are called.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/mman.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/mapped_files.h"
#include "recorder/symbols/demangle.h"
#include "recorder/symbols/function_table.h"
#include "recorder/symbols/native_names.h"
#include "tests/jrec/elf_builder.h"
#include "tests/whole_file.h"

using namespace rec;

namespace native_names_test {

// A place whose address the program's own file has, too.
extern "C" [[gnu::noinline, gnu::used]] void function_that_names_are_asked_of() { asm volatile(""); }

constexpr const char* kProgram = "/proc/self/exe";

// Addresses in the file, whatever they are called there.
uint64_t address_of(std::string_view name) {
  uint64_t found = 0;
  ElfSymbols(kProgram).each([&](const ElfSymbols::Symbol& symbol) {
    if (symbol.name == name) found = symbol.value;
    return found == 0;
  });
  return found;
}

}  // namespace native_names_test

using namespace native_names_test;

TEST_CASE("golden: functions are called as their authors wrote them, without parameters and results") {
  const std::pair<const char*, const char*> names[] = {
      {"deflate", "deflate"},
      {"_ZN7Compile8OptimizeEv", "Compile::Optimize"},
      {"_ZN20G1ParScanThreadState11do_oop_evacIP7oopDescEEvPT_", "G1ParScanThreadState::do_oop_evac<oopDesc*>"},
      {"_ZNK3foo3barEi", "foo::bar"},
      {"_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run"},
      {"_ZN1AclEi", "A::operator()"},
      {"_ZN1AcvbEv", "A::operator bool"},
      {"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()"},
      {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
      {"_ZN7Compile8OptimizeEv.cold", "Compile::Optimize"},
      {"compute.constprop.2.isra.0", "compute"},
      {"dlsym@@GLIBC_2.34", "dlsym"},
      {"runtime.main", "runtime.main"},
      {"_RNvC6_123foo3bar", "123foo::bar"},
      {"_ZbutNoSuchName", "_ZbutNoSuchName"},
      {"", ""},
  };
  for (const auto& [symbol, name] : names) CHECK(readable_name(symbol) == name);
}

TEST_CASE("a function has its name from its first byte to its last, and none behind it") {
  const uint64_t address = address_of("function_that_names_are_asked_of");
  REQUIRE(address != 0);
  const FunctionTable table(kProgram, {});
  CHECK(table.size() > 1000);
  CHECK(table.name_of(address) == "function_that_names_are_asked_of");
  CHECK(table.name_of(address - 1) != "function_that_names_are_asked_of");
  CHECK(table.name_of(0) == "");
  CHECK(table.name_of(~0ull) == "");
}

TEST_CASE("a file of another build has no names to give") {
  const std::string build_id = ElfSymbols(kProgram).build_id();
  CHECK(FunctionTable(kProgram, "0123456789abcdef").size() == 0);
  if (!build_id.empty()) CHECK(FunctionTable(kProgram, build_id).size() > 1000);
}

TEST_CASE("places without a symbol are called by their address, and those of no library say so") {
  NativeNames names;
  const NativeLibrary program{1, kProgram, {}}, gone{2, "/no/such/library.so", "00"}, none{3, {}, {}};
  CHECK(names.name_of(program, address_of("function_that_names_are_asked_of")) == "function_that_names_are_asked_of");
  CHECK(names.name_of(gone, 0x1a40) == "+0x1a40");
  CHECK(names.name_of(none, 0) == "[unknown]");
  CHECK(names.name_of(none, 1) == "[not unwound]");
}

TEST_CASE("a library that was deleted while it is mapped has its names, for who may read what is mapped") {
  const ::test::Bytes bytes =
      ::test::ElfBuilder().build_id({1, 2, 3, 4}).symbols(SHT_SYMTAB, {{"still_there", 0x1000, 16}}).bytes();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("rec-mapped-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const base::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* const at = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file.fd(), 0);
  REQUIRE(at != MAP_FAILED);
  const auto begin = reinterpret_cast<uint64_t>(at);
  const std::string path_text = path.string();
  NativeNames names;
  CHECK(names.name_of({1, path_text, "01020304", begin, begin + 4096}, 0x1004) == "still_there");
  std::filesystem::remove(path);
  char mapped[80];
  std::snprintf(mapped, sizeof mapped, "/proc/self/map_files/%lx-%lx", begin, begin + 4096);
  const bool may = bool(base::Descriptor(open(mapped, O_RDONLY | O_CLOEXEC)));
  CHECK(names.name_of({2, path_text, "01020304", begin, begin + 4096}, 0x1004) == (may ? "still_there" : "+0x1004"));
  CHECK(names.name_of({3, path_text, "05060708", begin, begin + 4096}, 0x1004) == "+0x1004");
  munmap(at, 4096);
}

namespace native_names_test {

void write_library(const std::filesystem::path& path, const std::string& function) {
  const ::test::Bytes bytes = ::test::ElfBuilder().symbols(SHT_SYMTAB, {{function, 0x1000, 16}}).bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace native_names_test

TEST_CASE("a library without a build id has no names of the file that has come to its place while it is mapped") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("rec-replaced-" + std::to_string(getpid()))).string();
  write_library(path, "that_runs");
  const base::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* const at = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file.fd(), 0);
  REQUIRE(at != MAP_FAILED);
  const base::FileIdentity mapped = base::MappedFiles().at(reinterpret_cast<uint64_t>(at), path);
  REQUIRE(mapped);
  CHECK(mapped.modified_ns != 0);
  const FunctionTable before(path, {}, {}, mapped);
  CHECK(before.name_of(0x1004) == "that_runs");

  write_library(path + ".new", "that_does_not");
  std::filesystem::rename(path + ".new", path);
  CHECK(before.name_of(0x1004) == "");
  CHECK(FunctionTable(path, {}, {}, mapped).name_of(0x1004) == "");
  const base::FileIdentity late = base::MappedFiles().at(reinterpret_cast<uint64_t>(at), path);
  CHECK(late.inode == mapped.inode);
  CHECK(FunctionTable(path, {}, {}, late).name_of(0x1004) == "");
  CHECK(FunctionTable(path, {}).name_of(0x1004) == "that_does_not");
  munmap(at, 4096);
  std::filesystem::remove(path);
}

TEST_CASE("the kernel's own library has names, though it has no file") {
  const FunctionTable table("[vdso]", {});
  bool found = false;
  for (uint64_t address = 0; address < 0x4000 && !found; ++address)
    found = table.name_of(address).find("clock_gettime") != std::string::npos;
  CHECK((found || table.size() == 0));  // there may be none
}

TEST_CASE("damage: a library that is cut, or of which bytes are wrong, has the names that are left") {
  const std::filesystem::path copy = std::filesystem::temp_directory_path() / ("rec-names-" + std::to_string(getpid()));
  std::string bytes = ::test::whole_file("/lib/x86_64-linux-gnu/libdl.so.2");
  if (bytes.empty()) return;
  for (size_t size = 0; size < bytes.size(); size += bytes.size() / 64 + 1) {
    std::ofstream(copy, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
    CHECK(FunctionTable(copy, {}).name_of(0x1000).size() < 4096);
  }
  for (size_t at = 0; at < bytes.size(); at += at < 64 ? 1 : 97) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(~wrong[at]);
    std::ofstream(copy, std::ios::binary).write(wrong.data(), static_cast<std::streamsize>(wrong.size()));
    CHECK(FunctionTable(copy, {}).name_of(0x1000).size() < 4096);
  }
  std::filesystem::remove(copy);
}
