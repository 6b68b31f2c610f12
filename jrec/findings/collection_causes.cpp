// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/collection_causes.h"

#include <string_view>

namespace jrec {

bool has_collections(const Facts& facts, Verdict& verdict) {
  if (facts.gc.collections.count != 0) return true;
  if (verdict.recorded(facts, "jdk.GarbageCollection")) verdict.unjudged("there was no collection");
  return false;
}

// Not told: in recordings of rec without the JVM's counters.
bool has_causes(const Facts& facts, Verdict& verdict) {
  if (!has_collections(facts, verdict)) return false;
  for (const auto& [key, lengths] : facts.gc.by_cause.rows())
    if (!key[1].empty() && key[1] != "N/A") return true;
  verdict.unjudged("why collections came is not told");
  return false;
}

bool was_asked_for(const std::string& cause) {
  for (const std::string_view other :
       {kSystemGc, std::string_view("Heap Inspection Initiated GC"), std::string_view("Heap Dump Initiated GC"),
        std::string_view("Diagnostic Command"), std::string_view("JvmtiEnv ForceGarbageCollection")})
    if (cause == other) return true;
  return cause.starts_with("WhiteBox");
}

}  // namespace jrec
