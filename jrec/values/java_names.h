// SPDX-License-Identifier: Apache-2.0
// Names of the class file format as people write them, under the names that jrec uses.
#pragma once

#include "format/reader/java_names.h"

namespace jrec {

using jfr::read::append_class_name;
using jfr::read::append_parameters;
using jfr::read::of_the_jdk;

}  // namespace jrec
