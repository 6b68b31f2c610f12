// SPDX-License-Identifier: Apache-2.0
// What jrec reads of /proc and of a JVM's files, and the text of options it writes.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/options/option_list.h"
#include "jrec/control/agent_options.h"
#include "jrec/control/attach_reply.h"
#include "jrec/control/java_command.h"
#include "jrec/control/jvm_list.h"
#include "jrec/control/jvm_process.h"
#include "jrec/control/perf_data.h"

using namespace jrec;

namespace {

using Words = std::vector<std::string>;

std::string main_of(const Words& command) { return main_of_command(command); }

Jvm jvm(pid_t pid, const std::string& main) {
  Jvm made;
  made.process.pid = pid;
  made.main = main;
  return made;
}

std::string le32(uint32_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

// A counter with its name behind the 20 bytes of its head, then its text.
std::string perf_entry(const std::string& name, const std::string& text) {
  const auto data = static_cast<uint32_t>(20 + name.size() + 1);
  const auto size = static_cast<uint32_t>(text.size() + 1);
  return le32(data + size) + le32(20) + le32(size) + "B" + std::string(3, '\0') + le32(data) + name + '\0' + text +
         '\0';
}

std::string perf_file(const std::string& entries, uint32_t count, uint32_t first = 32) {
  const std::string head = std::string("\xca\xfe\xc0\xc0\x01\x02\x00\x01", 8) + std::string(16, '\0');
  return head + le32(first) + le32(count) + entries;
}

}  // namespace

TEST_CASE(
    "jvm: status tells state, users, the innermost pid, whether SIGQUIT is caught, and whether it has memory yet") {
  JvmProcess process;
  read_status(
      "Name:\tjava State:\nState:\tT (stopped)\nUid:\t1000\t1001\t0\t0\nGid:\t7\t8\t9\t9\nNSpid:\t4711\t30\t2\n"
      "SigIgn:\t0000000000000004\nSigCgt:\t2000000181005ccf\n",
      process);
  CHECK(process.stopped());
  CHECK(process.euid == 1001);
  CHECK(process.egid == 8);
  CHECK(process.inner_pid == 2);
  CHECK(process.catches_quit);
  read_status("SigCgt:\t2000000181005ccb\n", process);
  CHECK_FALSE(process.catches_quit);
  CHECK_FALSE(process.has_memory);
  read_status("State:\tS (sleeping)\nVmSize:\t    2540 kB\n", process);
  CHECK(process.has_memory);
}

TEST_CASE("jvm: maps tell the libraries by the name of their file, deleted or not") {
  JvmProcess process;
  read_maps(
      "7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /opt/my jdk/lib/server/libjvm.so\n"
      "7f0000001000-7f0000002000 r-xp 00000000 08:01 2 /x/not-librec.so\n"
      "7f0000002000-7f0000003000 r-xp 00000000 08:01 3 /x/librec.so (deleted)\n"
      "7f0000003000-7f0000004000 rw-p 00000000 00:00 0 [stack]\n",
      process);
  CHECK(process.libjvm == "/opt/my jdk/lib/server/libjvm.so");
  CHECK(process.agent == "/x/librec.so");
  CHECK_FALSE(process.records);
  JvmProcess other;
  read_maps("7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /x/libjvm.so.debug\n[libjvm.so]\n", other);
  CHECK_FALSE(other.is_jvm());
}

TEST_CASE("jvm: an agent may have a version in its name") {
  const auto agent_in = [](const std::string& path) {
    JvmProcess process;
    read_maps("7f0000002000-7f0000003000 r-xp 00000000 08:01 3 " + path + "\n", process);
    return process.agent;
  };
  for (const char* path : {"/opt/rec/librec-1.2.so", "/opt/rec/librec.so.1", "/opt/rec/librec_old.so", "/librec.so"})
    CHECK(agent_in(path) == path);
  for (const char* path :
       {"/x/librecord.so", "/x/librec1.so", "/x/librec.so.d/libx.so", "/x/librec-1.2.jar", "/x/librec"})
    CHECK(agent_in(path).empty());
}

TEST_CASE("jvm: a library of a process in a chroot has the path that the process sees") {
  CHECK(as_seen_below("/srv/jail", "/srv/jail/tmp/librec.so") == "/tmp/librec.so");
  CHECK(as_seen_below("/srv/jail", "/srv/jailer/librec.so") == "/srv/jailer/librec.so");
  CHECK(as_seen_below("/srv/jail", "/srv/jail") == "/srv/jail");
  CHECK(as_seen_below("/", "/tmp/librec.so") == "/tmp/librec.so");
  CHECK(as_seen_below("", "/tmp/librec.so") == "/tmp/librec.so");
  CHECK(as_seen_below("/srv/jail", "").empty());
}

TEST_CASE("jvm: who maps a spool records") {
  JvmProcess process;
  read_maps("7f0000002000-7f0000003000 r-xp 00000000 08:01 3 /x/librec.so\n", process);
  CHECK_FALSE(process.records);
  read_maps("7f0000002000-7f0000003000 rw-s 00000000 00:1a 3 /dev/shm/rec-1-ab/epoch-0.spool\n", process);
  CHECK(process.records);
}

TEST_CASE("jvm: the start time is found behind any program name") {
  const std::string numbers = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 500 20\n";
  const double expected = 500.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  CHECK(start_s_after_boot("1 (a) b (c))" + numbers) == expected);
  CHECK_FALSE(start_s_after_boot("1 (a) S 1").has_value());
  CHECK_FALSE(start_s_after_boot("").has_value());
}

TEST_CASE("jvm: the program of a command line is the class, the module or the jar") {
  CHECK(main_of({"java", "-Xmx1g", "-cp", "a:b", "com.x.Main", "-jar", "no"}) == "com.x.Main");
  CHECK(main_of({"/usr/bin/java", "--add-opens", "a/b=c", "--add-exports=a/b=c", "-Da=b", "Main"}) == "Main");
  CHECK(main_of({"java", "-Da=b", "-jar", "/opt/my app.jar", "x"}) == "/opt/my app.jar");
  CHECK(main_of({"java", "-p", "mods", "-m", "mod/com.x.Main"}) == "mod/com.x.Main");
  CHECK(main_of({"java", "--module=mod/com.x.Main"}) == "mod/com.x.Main");
  CHECK(main_of({"java", "@options"}) == "");
  CHECK(main_of({"java", "-jar"}) == "");
  CHECK(main_of({"java", "-cp"}) == "");
  CHECK(main_of({}) == "");
}

TEST_CASE("jvm: of HotSpot's own note of its command the arguments are left out") {
  CHECK(main_of_java_command("com.x.Main secret args") == "com.x.Main");
  CHECK(main_of_java_command("/opt/my app.jar secret") == "/opt/my app.jar");
  CHECK(main_of_java_command("/opt/my app.jar") == "/opt/my app.jar");
  CHECK(main_of_java_command("app.jar x.jar y") == "app.jar");
  CHECK(main_of_java_command("") == "");
}

TEST_CASE("jvm: the last of a flag's settings counts, and only those in front of the program") {
  const auto disabled = [](const Words& command) { return has_flag(command, "DisableAttachMechanism"); };
  CHECK(disabled({"java", "-XX:+DisableAttachMechanism", "Main"}));
  CHECK_FALSE(disabled({"java", "-XX:+DisableAttachMechanism", "-XX:-DisableAttachMechanism", "Main"}));
  CHECK_FALSE(disabled({"java", "Main", "-XX:+DisableAttachMechanism"}));
  CHECK_FALSE(disabled({"java", "-XX:", "-XX:+", "Main"}));
  CHECK(disabled({"launcher", "-XX:+DisableAttachMechanism"}));
}

TEST_CASE("jvm: a name means the whole, else the simple one, else a part, and only if that is one program") {
  const std::vector<Jvm> all = {jvm(1, "com.x.Main"), jvm(2, "org.Main"), jvm(3, "/opt/app.jar"), jvm(4, "Main"),
                                jvm(5, "")};
  const auto pid_for = [&](const std::string& name) {
    auto chosen = choose_jvm(all, name);
    return chosen ? chosen->process.pid : -1;
  };
  CHECK(pid_for("com.x.Main") == 1);
  CHECK(pid_for("Main") == 4);
  CHECK(pid_for("com.x") == 1);
  CHECK(pid_for("app.jar") == 3);
  CHECK(pid_for("app") == 3);
  CHECK(pid_for("o") == -1);
  CHECK(choose_jvm(all, "rg").ok());
  CHECK(choose_jvm(all, "o").error().what == "'o' means several JVMs: 1 com.x.Main, 2 org.Main, 3 /opt/app.jar");
  CHECK(choose_jvm(all, "none").error().what.starts_with("no JVM is called 'none'; there are 1 com.x.Main, 2 "));
  CHECK(choose_jvm({}, "x").error().what == "no JVM is called 'x': none runs that we may see");
}

TEST_CASE("jvm: counters that are strings are read by name") {
  const std::string file = perf_file(perf_entry("a.b", "text") + perf_entry("sun.rt.javaCommand", "Main x"), 2);
  CHECK(read_perf_strings(file) == PerfStrings{{"a.b", "text"}, {"sun.rt.javaCommand", "Main x"}});
}

TEST_CASE("damage: a file of counters cut or changed anywhere never reads beyond its end") {
  const std::string whole = perf_file(perf_entry("a.b", "text") + perf_entry("c.d", "more"), 2);
  size_t read = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string cut(whole.data(), size);  // of its own, for the sanitizer
    read += read_perf_strings(cut).size();
  }
  CHECK(read > 0);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string changed(whole.data(), whole.size());
      changed[at] = value;
      CHECK(read_perf_strings(changed).size() <= 2);
    }
  }
  CHECK(read_perf_strings(perf_file(perf_entry("a", "b"), 0xffffffff)).size() == 1);
  CHECK(read_perf_strings(perf_file(perf_entry("a", "b"), 1, 0xfffffff0)).empty());
  CHECK(read_perf_strings(perf_file(le32(0) + std::string(40, '\0'), 5)).empty());
}

TEST_CASE("control: a value of any kind comes out of the agent's parser as it was") {
  for (
      const std::string value :
      {"5ms", "",     "a,b",     "a\\,b", "a\\", "\\", "'",   "\"",    "'a'",  "\"a,b\"",        "'\"", "\"'", "a'b\"c",
       "a=b", "a,\\", "it's,\\", " x ",   ",",   ",,", "\\,", "a\\\\", "x\ny", "'it\"s', \\, \""}) {
    CAPTURE(value);
    AgentOptions options("start");
    REQUIRE(options.add("key", value).ok());
    REQUIRE(options.add("last", "z").ok());
    const auto items = rec::agent::split_options(options.text());
    REQUIRE(items.size() == 3);
    CHECK(items[0].key == "start");
    CHECK(items[1].key == "key");
    CHECK(items[1].value == value);
    CHECK_FALSE(items[1].open_quote);
    CHECK(items[2].value == "z");
  }
  AgentOptions options("start");
  CHECK_FALSE(options.add("key", "'\"\\").ok());
}

TEST_CASE("control: a relative name is made absolute, and a percent sign in the directory is no pattern") {
  CHECK(absolute_pattern("/x/%p.jfr") == "/x/%p.jfr");
  const auto before = std::filesystem::current_path();
  const auto odd = std::filesystem::temp_directory_path() / "rec-100%p";
  std::filesystem::create_directory(odd);
  std::filesystem::current_path(odd);
  const std::string absolute = absolute_pattern("a-%p.jfr");
  std::filesystem::current_path(before);
  std::filesystem::remove(odd);
  CHECK(absolute.ends_with("/rec-100%%p/a-%p.jfr"));
  CHECK(absolute.starts_with("/"));
}

TEST_CASE("control: a reply is a status, and what the library returned if it was called") {
  const auto reply = parse_attach_reply("0\nreturn code: 1\n");
  REQUIRE(reply.has_value());
  CHECK(reply->status == 0);
  CHECK(reply->return_code == 1);
  CHECK(parse_attach_reply("0\n-7")->return_code == -7);  // JDK 8
  CHECK(parse_attach_reply("100\n")->status == 100);
  const auto failed = parse_attach_reply("0\n/x was\n not\t loaded. \n");
  CHECK(failed->text == "/x was not loaded.");
  CHECK_FALSE(failed->return_code.has_value());
  CHECK_FALSE(parse_attach_reply("").has_value());
  CHECK_FALSE(parse_attach_reply("return code: 0\n").has_value());
}
