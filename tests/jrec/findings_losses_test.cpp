// SPDX-License-Identifier: Apache-2.0
// Lost samples are told as a share of the kind of samples that was lost.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/text.h"

using namespace test;

namespace {

MadeEvents with_cpu_time_samples(MadeEvents made, int taken, int64_t lost) {
  for (int i = 0; i < taken; ++i)
    made.add("jdk.CPUTimeSample", i, {{"stackTrace", made::stack({"app.Work" + std::to_string(i % 9) + ".run"})}});
  return made.add("jdk.CPUTimeSamplesLost", 9, {{"lostSamples", made::whole(lost)}});
}

MadeEvents counters(const std::map<std::string, int64_t>& counts) {
  MadeEvents made = findings_rules::spread_out();
  for (const auto& [cause, count] : counts)
    made.add("rec.Counters", 5, {{"cause", made::text(cause)}, {"count", made::whole(count)}});
  return made;
}

}  // namespace

TEST_CASE("findings: lost samples of CPU time are a share of these, however many allocations there are") {
  const std::string told =
      findings_rules::told_of(with_cpu_time_samples(findings_rules::allocations("app.Node", 1000), 90, 10));
  CHECK_MESSAGE(has(told, "10 % of the samples of CPU time are missing"), told);
  CHECK(has(told, "10 of 100 could not be recorded."));
}

TEST_CASE("findings: lost samples of CPU time are no share of those that another clock took") {
  const std::string told = findings_rules::told_of(with_cpu_time_samples(findings_rules::spread_out(), 60, 40));
  CHECK_MESSAGE(has(told, "40 % of the samples of CPU time are missing"), told);
}

TEST_CASE("findings: each kind of samples that rec counts is told with its own losses") {
  const std::string told = findings_rules::told_of(counters({{"samples", 9000},
                                                             {"logFull", 1000},
                                                             {"allocations", 300},
                                                             {"allocationsLost", 100},
                                                             {"lockWaits", 5000},
                                                             {"lockWaitsLost", 1},
                                                             {"exceptions", 200},
                                                             {"exceptionsLost", 100}}));
  CHECK_MESSAGE(has(told, "10 % of the samples are missing"), told);
  CHECK(has(told, "1000 of 10000 could not be recorded, 1000 of them because of logFull."));
  CHECK(has(told, "25 % of the sampled allocations are missing"));
  CHECK(has(told, "50 % of the exceptions are missing"));
  CHECK_FALSE(has(told, "waits for locks are missing"));
}

TEST_CASE("findings: two samples of thirty that are missing are no share of anything") {
  const std::string few = findings_rules::told_of(counters({{"samples", 28}, {"threadUnseen", 2}})),
                    many = findings_rules::told_of(counters({{"samples", 28}, {"threadUnseen", 12}}));
  CHECK_FALSE_MESSAGE(has(few, "of the samples are missing"), few);
  CHECK(has(few, "2 of 30 samples are missing, and this needs 200, or 10 that are missing: lost-samples"));
  CHECK_MESSAGE(has(many, "30 % of the samples are missing"), many);
}
