// SPDX-License-Identifier: Apache-2.0
// Collections by collector and cause: the constants jdk.types.GCName and jdk.types.GCCause. Texts are HotSpot's own
// (gcName.hpp and gcCause.cpp of JDK 17 to 28), so that tools know them; keys are ours, and stay: spools hold them.
#pragma once

#include <cstdint>
#include <string_view>

#include "format/writer/checkpoint_builder.h"

namespace jfr {

inline constexpr uint64_t kGcNameUnknown = 1;
inline constexpr uint64_t kGcCauseUnknown = 1;

// The key of a text; unknown: of "N/A".
uint64_t gc_name_key(std::string_view text);
uint64_t gc_cause_key(std::string_view text);

// A key from elsewhere: itself if it is one, else that of "N/A".
uint64_t known_gc_name(uint64_t key);
uint64_t known_gc_cause(uint64_t key);

void add_collection_constants(CheckpointBuilder& builder);

}  // namespace jfr
