// SPDX-License-Identifier: Apache-2.0
// What users call events must be there: a name that no event type of the recording has, or a pattern that matches none,
// is an error that names the nearest and says what there is, and never an empty answer.
//
//   if (const base::Status known = known_events(recording, options.filter); !known) ...refuse(known.error())
//
// Asked before anything is written. A reading that ends when all names were met, most often in the first chunk.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/reader/metadata.h"
#include "jrec/select/filter.h"

namespace jrec {

class Recording;

// The event types and categories of a recording, chunk after chunk.
class KnownEvents {
 public:
  void meet(const jfr::read::Metadata& metadata);

  // kUsage when one of the patterns, separated by commas, matches none. `option` is what they were given to.
  base::Status types(std::string_view option, std::string_view patterns) const;
  base::Status categories(std::string_view option, std::string_view patterns) const;

  const std::set<std::string>& type_names() const { return types_; }

 private:
  std::set<std::string> types_, categories_;
};

// --events and --categories of `options`, and those that are to be left out. The recording is open.
base::Status known_events(Recording& recording, const FilterOptions& options, std::string_view events = "--events",
                          std::string_view categories = "--categories");

// Those of a list with commas between them.
std::vector<std::string> patterns_of(std::string_view list);

// "; did you mean jdk.CPULoad?", or nothing: the nearest to a name, by its whole or by what follows its last dot.
std::string did_you_mean(std::string_view name, const std::set<std::string>& known);

}  // namespace jrec
