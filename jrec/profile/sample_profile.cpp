// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_profile.h"

#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_stream.h"

namespace jrec {

Profile read_samples(Recording& recording, const ProfileOptions& options) {
  if (is_plain(sample_kind(options.event))) return read_profile(recording, options);
  SampleStream stream(recording, options);
  stream.read([](const SampleChunk&) {});
  Profile profile;
  profile.event_type = stream.event_type();
  profile.unit = stream.unit();
  profile.samples = stream.samples();
  profile.truncated = stream.truncated();
  profile.without_stack = stream.without_stack();
  profile.start_ns = stream.start_ns();
  profile.duration_ns = stream.duration_ns();
  profile.tree = stream.take_tree();
  return profile;
}

}  // namespace jrec
