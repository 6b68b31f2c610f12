// SPDX-License-Identifier: Apache-2.0
// read_samples() is read_profile() for every kind of event: also for those that add up several types, or show a class
// on top of the stack (sample_kind.h). The sums are those of a SampleStream with the same options.
#pragma once

#include "jrec/input/recording.h"
#include "jrec/profile/profile.h"

namespace jrec {

Profile read_samples(Recording& recording, const ProfileOptions& options);

}  // namespace jrec
