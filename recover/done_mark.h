// SPDX-License-Identifier: Apache-2.0
// A done mark stands in a directory of chunks from just before a recording that was made of them gets its name until they are gone: a symbolic
// link `.rec-done-PID` to "DEVICE:INODE:PATH" of that recording, which leads nowhere. A recovery that is killed in between is
// brought to its end by the next one, and not done once more. Ordinary threads only.
//
//   recording written and synced -> set_done_mark() -> it gets its name -> spools and chunks go -> the mark goes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rec {

inline constexpr std::string_view kDoneMark = ".rec-done-";

// Of the file that `recording` will be the path of. False: it cannot be made, so what the recording is made of must stay.
bool set_done_mark(const std::string& directory, uint32_t pid, int file, const std::string& recording);

// The recording of that process, if it has its name: the one that the mark tells, or one of these, where the disk had no room for a path.
std::optional<std::string> done_recording(const std::string& directory, uint32_t pid,
                                          const std::vector<std::string>& others = {});

void clear_done_marks(const std::string& directory);

}  // namespace rec
