// SPDX-License-Identifier: Apache-2.0
// Collects what each chunk says of the process. Secrets are redacted here, at the source: they never reach the engine.
#pragma once

#include <jvmti.h>

#include <string>

#include "agent/sampling/clock_choice.h"
#include "recorder/chunk/chunk_config.h"

namespace rec::agent {

ProcessFacts read_process_facts(jvmtiEnv* jvmti, const ClockChoice& clock);

}  // namespace rec::agent
