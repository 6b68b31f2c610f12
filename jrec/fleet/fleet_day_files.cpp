// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_day_files.h"

namespace jrec {

base::Result<ParquetWriter*> FleetDayFiles::of(int64_t day) {
  std::unique_ptr<FleetFile>& file = files_[day];
  if (file == nullptr) {
    partition_.day = day;
    auto begun = append_.begin(table_, partition_.path(), columns_);
    if (!begun) return begun.error();
    file = std::move(*begun);
  }
  return &file->writer();
}

void FleetDayFiles::end_groups_but_of(int64_t day) {
  for (auto& [each, file] : files_)
    if (each != day) file->writer().end_group();
}

base::Status FleetDayFiles::finish() {
  for (auto& [day, file] : files_)
    if (const base::Status finished = file->finish(); !finished) return finished;
  return base::Done{};
}

}  // namespace jrec
