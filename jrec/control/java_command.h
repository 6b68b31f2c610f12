// SPDX-License-Identifier: Apache-2.0
// Reads the command line of the java launcher: which word is the program, and which options the JVM has been given.
//
//   java -cp a.jar -Xmx1g com.example.Main args...   ->  com.example.Main
//   java -jar /opt/app.jar args...                   ->  /opt/app.jar
//   java -m module/com.example.Main                  ->  module/com.example.Main
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jrec {

// Empty: none is named (other launchers; an @file that names it).
std::string main_of_command(std::span<const std::string> command);

// The same of what HotSpot notes of its own command, "Main args..." or "/opt/app.jar args...".
std::string main_of_java_command(std::string_view java_command);

// Whether a flag -XX:+NAME is on: the last of -XX:+NAME and -XX:-NAME in front of the program counts.
bool has_flag(std::span<const std::string> command, std::string_view name);

// How well `wanted` names the program: 3 whole, 2 its simple name or file name (with or without .jar), 1 a part, 0 not.
int match_of_name(std::string_view wanted, std::string_view main);

}  // namespace jrec
