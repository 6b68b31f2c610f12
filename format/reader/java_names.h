// SPDX-License-Identifier: Apache-2.0
// Names of the class file format, as people write them.
#pragma once

#include <string>
#include <string_view>

namespace jfr::read {

// java/lang/String -> java.lang.String, [[J -> long[][], [Ljava/lang/String; -> java.lang.String[].
void append_class_name(std::string_view internal, std::string& out);

// What stands between the parentheses: (I[Ljava/lang/String;)V -> int, String[]. What is no descriptor gives nothing.
void append_parameters(std::string_view descriptor, std::string& out);

// Whether a method, or a class, is one of the JDK's own by its package.
bool of_the_jdk(std::string_view dotted);

}  // namespace jfr::read
