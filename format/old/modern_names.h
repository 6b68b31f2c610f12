// SPDX-License-Identifier: Apache-2.0
// What of version 0.9 has a name since JDK 9, so that whatever looks for it finds it: types of events by their paths,
// their fields, and types of constants. What has none keeps its path, with dots.
//
//   vm/prof/execution_sample        jdk.ExecutionSample
//   java/monitor_enter, klass       jdk.JavaMonitorEnter, monitorClass
//   the pool UTFConstant            jdk.types.Symbol
//   wls/JDBC/JDBC_Connection_Close  wls.JDBC.JDBC_Connection_Close
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/old/description.h"

namespace jfr::old {

// Of HotSpot's events, and of those of JRockit that mean the same.
std::string event_name(const EventType& type);
// Outermost first: "Java Virtual Machine", "GC", "Heap".
std::vector<std::string> category_of(std::string_view path);

std::string pool_name(const Pool& pool);
// A structure has no name of its own: it is known by its fields. Empty: it is none that we know.
std::string_view structure_name(const Structure& structure);

// Of a field of an event, of a constant or of a structure, whose type has that (new) name.
std::string field_name(std::string_view type, std::string_view field);

}  // namespace jfr::old
