// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/profile.h"

#include "jrec/profile/sample_stream.h"

namespace jrec {

Profile read_profile(Recording& recording, const ProfileOptions& options) {
  return SamplePass(recording, options).read_sums();
}

}  // namespace jrec
