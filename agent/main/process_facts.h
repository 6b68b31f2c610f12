// SPDX-License-Identifier: Apache-2.0
// Collects what each chunk says of the process. Secrets are redacted here, at the source: they never reach the engine.
#pragma once

#include <jvmti.h>

#include <string>
#include <vector>

#include "recorder/chunk/chunk_config.h"

namespace rec::agent {

ProcessFacts read_process_facts(jvmtiEnv* jvmti, std::vector<EventSetting> settings);

// "10 ms", as JFR writes periods.
std::string period_text(int64_t ns);

}  // namespace rec::agent
