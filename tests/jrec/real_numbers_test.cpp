// SPDX-License-Identifier: Apache-2.0
// Real numbers in the cells of a view.
#include <doctest/doctest.h>

#include <cmath>

#include "jrec/view/cell.h"

using namespace jrec;

namespace {

TEST_CASE("view: frequencies have their fraction") {
  const auto hertz = [](double value) { return show(Cell::of_real(value, Content::kHertz), 0); };
  CHECK(hertz(0.4) == "0.4 Hz");
  CHECK(hertz(2.5) == "2.5 Hz");
  CHECK(hertz(1.0 / 3) == "0.33 Hz");
  CHECK(hertz(0.00012345678) == "0.00012 Hz");
  CHECK(hertz(20) == "20 Hz");
  CHECK(hertz(0) == "0 Hz");
  CHECK(hertz(2.4e9) == "2,400,000,000 Hz");
}

TEST_CASE("view: a share that is no number is N/A") {
  CHECK(show(Cell::of_real(std::nan(""), Content::kShare), 0) == "N/A");
  CHECK(show(Cell::of_real(0.05, Content::kShare), 0) == "5.00%");
}

}  // namespace
