// SPDX-License-Identifier: Apache-2.0
// What a sampled allocation stands for. A point is drawn each `interval` bytes on the average, as by a Poisson process
// (sample_points.h), and the VM samples the object that one falls into: an object of `size` bytes with the probability
// 1 - exp(-size / interval), however many points fall into it. So
//
//   weight = size / (1 - exp(-size / interval))
//
// adds up to what was allocated on the average, by any kind of object: `interval` for small ones, `size` for large ones.
// No JVM, any thread.
#pragma once

#include <cstdint>

namespace rec::agent {

// Bytes; rounded to the nearest. An interval of 0: each object is sampled.
int64_t allocation_weight(int64_t size, int64_t interval);

// 1 - exp(-x), to 15 digits, for x >= 0; libm would be one more library in the process.
double sampled_share(double x);

}  // namespace rec::agent
