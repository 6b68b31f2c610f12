// SPDX-License-Identifier: Apache-2.0
// What is true of HotSpot only stays in agent/hotspot, what is true of one processor only in its folder there.
#include <doctest/doctest.h>

#include <regex>

#include "tests/house/house.h"

namespace {

using namespace test;

// The text without what stands behind "//", and without includes.
std::string code_of(const std::string& text) {
  std::istringstream lines(text);
  std::string code;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#include")) code += line.substr(0, line.find("//")) + '\n';
  return code;
}

// Loads of the VM's memory, and the places in it. A load may be handed on (`config.copy = safe_copy`), not called.
Faults check_raw_loads(const Sources& sources) {
  static const std::regex kLoad("\\b(u8_at|u16_at|u32_at|u64_at|load8|load16|load32|load64|safe_copy)\\s*\\(");
  static const std::regex kOffset("\\blayout(_|\\(\\))?(\\.|->)\\w");
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_cpp(path) || folder(path) != "agent" || starts(path, "agent/hotspot/")) continue;
    const std::string code = code_of(text);
    if (text.find("#include \"agent/hotspot/processor/safe_load.h\"") != std::string::npos)
      faults.push_back(path + " includes safe_load.h");
    if (std::smatch found; std::regex_search(code, found, kLoad))
      faults.push_back(path + " loads the VM's memory by " + found[1].str());
    if (std::smatch found; std::regex_search(code, found, kOffset))
      faults.push_back(path + " looks into the Layout: " + found.str());
  }
  return faults;
}

// What an agent for another processor would have to replace. format/ has a seam of its own.
// agent/hotspot/processor has the form of a load that may fail, and no instruction.
Faults check_processor(const Sources& sources) {
  static const std::regex kOnlyThere(
      "\\basm\\b|\\bREG_R|\\bgregs\\b|mmintrin|\\b_mm_|::kR(ax|bx|cx|dx|si|di|bp|sp|ip|8|9|1[0-5])\\b|::kX["
      "0-9]+\\b");
  static const NameSet kProcessors = {"agent/hotspot/x86_64", "agent/hotspot/aarch64"};
  static const NameSet kRooms = {"base", "recorder", "recover", "agent"};
  Faults faults;
  for (const auto& [path, text] : sources) {
    if (!is_cpp(path) || kRooms.count(folder(path)) == 0 || kProcessors.count(path.substr(0, path.rfind('/'))) != 0 ||
        path == "agent/hotspot/processor/safe_load.h")
      continue;
    const std::vector<std::string> included = includes_of(text).system;
    const NameSet includes(included.begin(), included.end());
    const std::string code = code_of(text);
    if (std::smatch found; std::regex_search(code, found, kOnlyThere))
      faults.push_back(path + " knows the processor: " + found.str());
    for (const char* header : {"emmintrin.h", "immintrin.h", "x86intrin.h"})
      if (includes.count(header) != 0) faults.push_back(path + " includes <" + header + ">");
  }
  return faults;
}

}  // namespace

TEST_CASE("house: the VM's memory is loaded in agent/hotspot only") { CHECK_RULE(check_raw_loads); }
TEST_CASE("house: the processor is known in its own room only") { CHECK_RULE(check_processor); }

TEST_CASE("house: a raw load outside agent/hotspot is found, in code and not in words") {
  const auto faults_of = [](const std::string& text) { return check_raw_loads({{"agent/main/a.cpp", text}}).size(); };
  CHECK(check_raw_loads({{"agent/main/a.cpp", "x = u64_at(p);\n"}}) ==
        Faults{"agent/main/a.cpp loads the VM's memory by u64_at"});
  CHECK(faults_of("if (!safe_copy(to, from, 8)) return;\n") == 1);
  CHECK(faults_of("config.copy = safe_copy;  // never safe_copy(...)\n") == 0);
  CHECK(faults_of("#include \"agent/hotspot/processor/safe_load.h\"\n") == 1);
  CHECK(faults_of("#include \"agent/hotspot/vm/layout.h\"\n") == 0);
  CHECK(faults_of("x = vm.layout.klass.name;\n") == 1);
  CHECK(faults_of("x = session->layout().klass.name;\n") == 1);
  CHECK(faults_of("const Layout& layout = session->layout();\n") == 0);
  CHECK(check_raw_loads({{"agent/hotspot/vm/a.cpp", "x = u64_at(p + layout.klass.name);\n"}}).empty());
}

TEST_CASE("house: what is the processor's is found outside its room") {
  const auto faults_of = [](const std::string& text) { return check_processor({{"agent/main/a.cpp", text}}).size(); };
  CHECK(faults_of("asm volatile(\"nop\");\n") == 1);
  CHECK(faults_of("pc = context.uc_mcontext.gregs[0];\n") == 1);
  CHECK(faults_of("pc = registers[REG_RIP];\n") == 1);
  CHECK(faults_of("pc = registers[Registers::kRip];\n") == 1);
  CHECK(faults_of("pc = registers[Registers::kReturnPc];\n") == 0);
  CHECK(faults_of("#include <emmintrin.h>\n") == 1);
  CHECK(faults_of("// rax, by asm\n") == 0);
  CHECK(faults_of("pc = registers[Registers::kX30];\n") == 1);
  CHECK(check_processor({{"agent/hotspot/x86_64/a.cpp", "asm(\"nop\");\n"}}).empty());
  CHECK(check_processor({{"agent/hotspot/aarch64/a.cpp", "asm(\"nop\");\n"}}).empty());
  CHECK(check_processor({{"agent/hotspot/walk/a.cpp", "asm(\"nop\");\n"}}).size() == 1);
}
