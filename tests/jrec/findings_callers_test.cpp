// SPDX-License-Identifier: Apache-2.0
// Whom findings name: who calls native code, and who makes exceptions.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/text.h"

using namespace test;

namespace {

MadeEvents throwables(const std::string& type, const Frames& frames) {
  MadeEvents made;
  for (int i = 0; i < 100; ++i)
    made.add("jdk.JavaExceptionThrow", i * 10,
             {{"thrownClass", made::text(type)}, {"stackTrace", made::stack(frames)}});
  for (int i = 0; i < 2; ++i)
    made.add("jdk.ExceptionStatistics", i * 10'000, {{"throwables", made::whole(i * 50'000)}});
  return made;
}

}  // namespace

TEST_CASE("findings: a hot function of native code is told with the method of Java that calls it, and its command") {
  MadeEvents made = findings_rules::spread_out(100);
  made.samples(200, {"stubs.Math::dsin", "java.lang.StrictMath.sin", "app.Wave.at", "app.Main.run"});
  const std::string told = findings_rules::told_of(made);
  CHECK_MESSAGE(has(told, "67 % of CPU in stubs.Math::dsin, called by app.Wave.at"), told);
  CHECK(has(told, "method app.Wave.at, function stubs.Math::dsin"));
  CHECK(has(told, "-I '^app\\.Wave\\.at$'"));
}

TEST_CASE("findings: a hot function of native code that nobody in Java calls is told by itself") {
  MadeEvents made = findings_rules::spread_out(100);
  made.samples(200, {"libjvm.so.G1ParScan::copy", "libjvm.so.Thread::call_run"});
  const std::string told = findings_rules::told_of(made);
  CHECK_MESSAGE(has(told, "67 % of CPU in libjvm.so.G1ParScan::copy\n"), told);
}

TEST_CASE("findings: exceptions are counted as they are made, and those for their stacks alone are told as such") {
  const std::string thrown =
      findings_rules::told_of(throwables("app.Refused", {"java.lang.Throwable.<init>", "app.Orders.check"}));
  CHECK_MESSAGE(has(thrown, "5,000 exceptions a second were made"), thrown);
  CHECK(has(thrown, "made in app.Orders.check"));
  CHECK_FALSE(has(thrown, "thrown in"));
  CHECK_FALSE(has(thrown, "for their stacks alone"));
  const Frames of_thread = {"java.lang.Throwable.<init>", "java.lang.Exception.<init>",
                            "java.lang.Thread.getStackTrace", "app.Log.line"};
  CHECK(has(findings_rules::told_of(throwables("java.lang.Exception", of_thread)),
            "100 % are made as if for their stacks alone"));
  CHECK(has(findings_rules::told_of(throwables("java.lang.Throwable", {"java.lang.Throwable.<init>", "app.Log.line"})),
            "100 % are made as if for their stacks alone"));
}

TEST_CASE("findings: the recorder's own threads are no method of the program") {
  MadeEvents made = findings_rules::spread_out(100);
  made.samples(200, {"rec.[rec Thread]"});
  const std::string told = findings_rules::told_of(made);
  CHECK_MESSAGE(!has(told, "rec Thread"), told);
}
