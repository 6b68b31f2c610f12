// SPDX-License-Identifier: Apache-2.0
// Chance for points of a Poisson process. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

// Exponential with the mean 1, by 64 bits of chance; libm would be one more library in the process.
double exponential(uint64_t random);

}  // namespace rec::agent
