// SPDX-License-Identifier: Apache-2.0
// What a recording says it records (jdk.ActiveSetting), whether or not it has such events.
#pragma once

#include <string_view>

#include "format/reader/metadata.h"
#include "jrec/safepoints/event_fields.h"

namespace jrec {

// The type that a setting switches on; empty: it says something else.
std::string_view enabled_type(const jfr::read::Metadata& metadata, EventFields& setting);

// What rec records always. Its older recordings do not say so.
inline constexpr std::string_view kAlwaysOfRec = "jdk.GarbageCollection";

}  // namespace jrec
