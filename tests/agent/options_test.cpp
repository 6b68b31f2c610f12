// SPDX-License-Identifier: Apache-2.0
#include "agent/options/options.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "agent/options/help.h"
#include "agent/options/option_table.h"
#include "recorder/spool/limits.h"

using namespace rec::agent;

namespace {

Options parsed(std::string_view text) {
  bool exit_on_error = false;
  auto options = parse_options(text, &exit_on_error);
  INFO("option string: " << text);
  REQUIRE_MESSAGE(options.ok(), (options.ok() ? "" : options.error().what));
  return *options;
}

std::string complaint(std::string_view text) {
  bool exit_on_error = false;
  const auto options = parse_options(text, &exit_on_error);
  return options.ok() ? "" : options.error().what;
}

bool exits(std::string_view text) {
  bool exit_on_error = false;
  (void)parse_options(text, &exit_on_error).ok();
  return exit_on_error;
}

}  // namespace

TEST_CASE("no options are the defaults") {
  CHECK(parsed("") == Options{});
  CHECK(parsed("start") == Options{});
  CHECK(parsed(",,") == Options{});
}

TEST_CASE("one command at a time, whichever they are") {
  for (const OptionRow& row : option_table()) {
    if (row.kind != OptionKind::kWord) continue;
    Options options;
    options.command = AgentCommand::kStop;
    row.set(options, {});
    if (options.command == AgentCommand::kStop) continue;  // no command, or that
    INFO(row.key);
    CHECK(complaint(std::string(row.key) + ",interval=5ms,stop").find("are two commands") != std::string::npos);
    CHECK(complaint("stop,filename=start," + std::string(row.key)).find("are two commands") != std::string::npos);
  }
  CHECK(complaint("stop,stop").empty());
  CHECK(complaint("start,filename='stop',name=dump").empty());
}

TEST_CASE("the default that the table shows is the default that the options have") {
  for (const OptionRow& row : option_table()) {
    if (default_of(row).empty()) continue;
    INFO(row.key);
    Options expected;
    expected.filename_given = row.key == "filename";
    expected.name_given = row.key == "name";
    expected.names_cpu = row.key == "event" || row.key == "cpu";
    expected.names_alloc = row.key == "alloc";
    expected.names_wall = row.key == "wall";
    expected.names_live = row.key == "live";
    expected.names_lock = row.key == "lock";
    expected.names_nativemem = row.key == "nativemem";
    expected.names_exceptions = row.key == "exceptions";
    if (row.setting < Setting::kOfCommand) expected.set_named(row.setting);
    if (row.key == "event") expected.set_named(Setting::kCpu);
    if (row.can_be_off) expected.set_interval_given(row.setting);
    if (row.key == "interval") expected.set_interval_given(Setting::kCpu);
    CHECK(parsed(std::string(row.key) + "=" + default_of(row)) == expected);
  }
}

TEST_CASE("the key of a clock alone leaves its interval, wherever it stands") {
  CHECK(parsed("interval=1ms,cpu,alloc").period_ns == 1'000'000);
  CHECK(parsed("cpu,interval=1ms").period_ns == 1'000'000);
  CHECK(parsed("interval=1ms,event=cpu").period_ns == 1'000'000);
  CHECK(parsed("cpu=2ms,cpu").period_ns == 2'000'000);
  CHECK(parsed("cpu").period_ns == rec::kDefaultPeriodNs);
  CHECK(parsed("wall=5ms,wall").wall_ns == 5'000'000);
  CHECK(parsed("nativemem=all,nativemem").nativemem_bytes == 0);
  CHECK(parsed("exceptions").exceptions_per_second == kDefaultExceptions);
}

TEST_CASE("native memory is asked for by a key, by event, and for each allocation") {
  CHECK_FALSE(parsed("").samples_nativemem());
  CHECK(parsed("nativemem").nativemem_bytes == 512 << 10);
  CHECK(parsed("nativemem=64k").nativemem_bytes == 64 << 10);
  CHECK(parsed("nativemem=0").nativemem_bytes == 0);
  CHECK(parsed("nativemem=all").nativemem_bytes == 0);
  CHECK(parsed("event=nativemem").samples_nativemem());
  CHECK_FALSE(parsed("nativemem").samples_cpu());
  CHECK(parsed("event=cpu,nativemem").samples_cpu());
  CHECK(parsed("nativemem").follows_frees);
  CHECK_FALSE(parsed("nativemem,nofree").follows_frees);
}

TEST_CASE("every option reaches its member") {
  CHECK(parsed("filename=a.jfr").filename == "a.jfr");
  CHECK(parsed("maxchunksize=1m").max_chunk_size == 1u << 20);
  CHECK(parsed("maxchunkage=1h").max_chunk_age_ns == 3'600'000'000'000);
  CHECK(parsed("interval=1ms").period_ns == 1'000'000);
  CHECK(parsed("sampleevent=cputime").sample_event == rec::SampleEvent::kCpuTimeSample);
  CHECK(parsed("stackdepth=2048").stack_depth == 2048);
  CHECK(parsed("repository=/x/y").repository == "/x/y");
  CHECK(parsed("maxsize=2g").max_size == 2ull << 30);
  CHECK(parsed("maxage=2d").max_age_ns == 172'800'000'000'000);
  CHECK(parsed("duration=30s").duration_ns == 30'000'000'000);
  CHECK(parsed("delay=5 s").delay_ns == 5'000'000'000);
  CHECK(parsed("flush-interval=500ms").flush_interval_ns == 500'000'000);
  CHECK(parsed("loglevel=error").log_level == LogLevel::kError);
  CHECK(parsed("loglevel=debug").log_level == LogLevel::kDebug);
  CHECK(parsed("onerror=exit").on_error == OnError::kExit);
  CHECK(parsed("name=nightly").name == "nightly");
  CHECK(parsed("event=itimer").event == SampledEvent::kItimer);
  CHECK(parsed("event=ctimer,event=cpu").event == SampledEvent::kCpu);
  CHECK(parsed("sampledthreads=java").sampled_threads == SampledThreads::kJava);
  CHECK(parsed("cpu-clock=perf").cpu_clock == CpuClockKind::kPerf);
  CHECK(parsed("cpuclock=timer").cpu_clock == CpuClockKind::kTimer);
  CHECK(parsed("help").command == AgentCommand::kHelp);
  CHECK(parsed("version").command == AgentCommand::kVersion);
}

TEST_CASE("clocks that are named run, and CPU time if none is") {
  const auto clocks = [](const char* text) {
    const Options options = parsed(text);
    return std::string(options.samples_cpu() ? "cpu " : "") + (options.samples_alloc() ? "alloc" : "") +
           (options.samples_live() ? " live" : "") + (options.records_locks() ? " lock" : "") +
           (options.records_exceptions() ? " exceptions" : "");
  };
  CHECK(clocks("") == "cpu ");
  CHECK(clocks("interval=1ms") == "cpu ");
  CHECK(clocks("exceptions=0") == " exceptions");
  CHECK(clocks("event=cpu,exceptions") == "cpu  exceptions");
  CHECK(clocks("event=alloc") == "alloc");
  CHECK(clocks("alloc") == "alloc");
  CHECK(clocks("alloc=1m") == "alloc");
  CHECK(clocks("event=cpu,alloc") == "cpu alloc");
  CHECK(clocks("event=ctimer,alloc=2m") == "cpu alloc");
  CHECK(clocks("cpu=5ms,alloc=512k") == "cpu alloc");
  CHECK(clocks("event=live") == " live");
  CHECK(clocks("live=64k") == " live");
  CHECK(clocks("event=cpu,alloc,live") == "cpu alloc live");
  CHECK(clocks("event='cpu,alloc,live'") == "cpu alloc live");
  CHECK(complaint("event='cpu,walls'").find("'event=walls' is not one of") == 0);
  CHECK(clocks("event=lock") == " lock");
  CHECK(clocks("lock=5ms,cpu") == "cpu  lock");
  CHECK(parsed("lock=5ms").lock_ns == 5'000'000);
  CHECK(parsed("lock=0").lock_ns == 0);
  CHECK(parsed("live=64k").live_bytes == 64 << 10);
  CHECK(parsed("cpu=5ms").period_ns == 5'000'000);
  CHECK(parsed("alloc=1m").alloc_bytes == 1 << 20);
  CHECK(parsed("alloc").alloc_bytes == kDefaultAllocBytes);
  CHECK(complaint("alloc=") == "'alloc=' is not a size such as 12m");
}

TEST_CASE("async-profiler's names mean the same") {
  const Options ours =
      parsed("start,filename=a.jfr,cpu=1ms,maxchunksize=100m,maxchunkage=1h,stackdepth=64,duration=60s");
  CHECK(parsed("start,event=cpu,file=a.jfr,interval=1000000,chunksize=100m,chunktime=3600,jstackdepth=64,timeout=60") ==
        ours);
  CHECK(parsed("period=1ms").period_ns == 1'000'000);
}

TEST_CASE("of a key given twice the last one counts, synonyms included") {
  CHECK(parsed("filename=a.jfr,file=b.jfr").filename == "b.jfr");
}

TEST_CASE("a value may hold an equals sign, an escaped comma, or anything in quotes") {
  CHECK(parsed("filename=a=b.jfr").filename == "a=b.jfr");
  CHECK(parsed("filename=a\\,b.jfr,name=n").filename == "a,b.jfr");
  CHECK(parsed("filename='a,b.jfr',name=n").filename == "a,b.jfr");
  CHECK(parsed("filename=\"a,'b'.jfr\",name=n").name == "n");
  CHECK(parsed("filename=a\\b.jfr").filename == "a\\b.jfr");
}

TEST_CASE("damage: a quote that is never closed is named") {
  CHECK(complaint("filename='a,b.jfr") == "the quote after 'filename=' is never closed");
}

TEST_CASE("an unknown key names the nearest one and says what happens") {
  bool exit_on_error = true;
  const auto options = parse_options("interval=1ms,filenmae=a.jfr", &exit_on_error);
  REQUIRE(!options.ok());
  CHECK(options.error().code == base::ErrorCode::kUsage);
  CHECK(options.error().offset == 13);
  CHECK(refusal_line(options.error(), exit_on_error) ==
        "rec: unknown option 'filenmae'; did you mean 'filename'? The application runs unrecorded. Try 'help'.");
}

TEST_CASE("an unknown key that is near to none gets no guess") {
  CHECK(complaint("qqqqqqq=1") == "unknown option 'qqqqqqq'");
  CHECK(complaint("=1") == "unknown option ''");
}

TEST_CASE("a synonym is suggested as the user's own dialect spells it") {
  CHECK(complaint("jstackdept=5") == "unknown option 'jstackdept'; did you mean 'jstackdepth'?");
  CHECK(complaint("chunksise=5m") == "unknown option 'chunksise'; did you mean 'chunksize'?");
  CHECK(complaint("FileName=a") == "unknown option 'FileName'; did you mean 'filename'?");
}

TEST_CASE("a value out of its limits names the limit") {
  CHECK(complaint("interval=49us") == "'interval=49us' is too small; the smallest is 50us");
  CHECK(complaint("maxchunksize=1023k") == "'maxchunksize=1023k' is too small; the smallest is 1m");
  CHECK(complaint("maxchunksize=1g") == "'maxchunksize=1g' is too large; the largest is 240m");
  CHECK(complaint("stackdepth=0") == "'stackdepth=0' is too small; the smallest is 1");
  CHECK(complaint("stackdepth=99999") ==
        "'stackdepth=99999' is too large; the largest is " + std::to_string(rec::kMaxFrames));
  CHECK(complaint("interval=50us") == "");
}

TEST_CASE("a value that is none says what one looks like") {
  CHECK(complaint("interval=fast") == "'interval=fast' is not a time such as 20ms");
  CHECK(complaint("maxage=5") == "'maxage=5' is not a time such as 20ms");
  CHECK(complaint("maxsize=5t") == "'maxsize=5t' is not a size such as 12m");
  CHECK(complaint("stackdepth=-1") == "'stackdepth=-1' is not a whole number");
  CHECK(complaint("loglevel=wran") == "'loglevel=wran' is not one of error|warn|info|debug; did you mean 'warn'?");
  CHECK(
      complaint("event=walls") ==
      "'event=walls' is not one of cpu|ctimer|itimer|alloc|wall|live|lock|nativemem|exceptions; did you mean 'wall'?");
  CHECK(complaint("filename=") == "'filename=' has no value");
  CHECK(complaint("filename") == "'filename' needs a value, as in 'filename=...'");
  CHECK(complaint("help=1") == "'help' takes no value");
}

TEST_CASE("onerror=exit counts wherever it stands, also beside a bad option") {
  CHECK(exits("onerror=exit,filenmae=a"));
  CHECK(exits("filenmae=a,onerror=exit"));
  CHECK(exits("onerror=exit"));
  CHECK(!exits("filenmae=a"));
  CHECK(!exits("onerror=exit,onerror=continue,filenmae=a"));
  CHECK(!exits("onerror=exti"));
  CHECK(refusal_line(base::Error{base::ErrorCode::kSystem, 0, "cannot make /x: Permission denied"}, true) ==
        "rec: cannot make /x: Permission denied. The JVM ends (onerror=exit).");
}

TEST_CASE("damage: whatever the text is, the refusal is one line of printable text") {
  for (const std::string& text :
       {std::string("a\nb=1"), std::string("\0=1", 3), std::string(5000, 'x'), "interval=" + std::string(500, '9'),
        std::string("\x1b[31m=1"), std::string("filename='\n"), std::string("filename=a\0b", 12)}) {
    bool exit_on_error = false;
    const auto options = parse_options(text, &exit_on_error);
    REQUIRE(!options.ok());
    const std::string line = refusal_line(options.error(), exit_on_error);
    CHECK(line.size() < 400);
    for (char c : line) CHECK(static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST_CASE("no two options share a name") {
  std::set<std::string_view> names;
  for (const OptionRow& row : option_table()) {
    CHECK(names.insert(row.key).second);
    if (!row.synonym.empty()) CHECK(names.insert(row.synonym).second);
  }
}

TEST_CASE("help names every option and keeps to the width") {
  const std::string help = options_help(72);
  for (const OptionRow& row : option_table()) CHECK(help.find("\n  " + std::string(row.key)) != std::string::npos);
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 72);
}

TEST_CASE("golden: docs/options.md is what the table says") {
  std::ifstream file(std::string(REC_SOURCE_ROOT) + "/docs/options.md", std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "docs/options.md is missing");
  std::ostringstream committed;
  committed << file.rdbuf();
  CHECK_MESSAGE(committed.str() == options_markdown(), "run options_doc > docs/options.md");
}
