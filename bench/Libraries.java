// SPDX-License-Identifier: Apache-2.0
// A program with many libraries that an agent is loaded into while a thread reads the clock:
//
//   java Libraries DIRECTORY COUNT AGENT OPTIONS     DIRECTORY's liba0.so, liba1.so, ...; AGENT "-": none, as a control
//
// Says startMs (how long the load took), pauseUs (the longest time between two looks at the clock in the second from then on), heldUs (the
// same, without the time that the thread waited for a CPU, by the kernel's count: what is left is what somebody did to it), rssKb before and after, and began (when, in microseconds since 1970).
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;

public class Libraries {
  static volatile boolean watching, done;
  static volatile long longest, held;

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < Integer.parseInt(args[1]); i++) System.load(args[0] + "/liba" + i + ".so");
    command("vmVersion");
    Thread clock = new Thread(Libraries::watch, "clock");
    clock.start();
    Thread.sleep(1000);  // compiled by then
    long rss = rssKb(), micros = System.currentTimeMillis() * 1000, begin = System.nanoTime();
    watching = true;
    if (!args[2].equals("-")) command("jvmtiAgentLoad", args[2], "\"" + args[3] + "\"");  // else it is cut at each = and comma
    long took = System.nanoTime() - begin;
    Thread.sleep(1000);
    watching = false;
    long after = rssKb();
    done = true;
    clock.join();
    System.out.printf("startMs=%.1f pauseUs=%d heldUs=%d rssKb=%d rssAfterKb=%d began=%d%n", took / 1e6, longest / 1000, held / 1000, rss, after, micros);
  }

  static void watch() {
    try (RandomAccessFile delays = new RandomAccessFile("/proc/thread-self/schedstat", "r")) {
      long waited = waited(delays), last = System.nanoTime();
      while (!done) {
        long now = System.nanoTime(), gap = now - last;
        if (watching && gap > 100_000) {
          long then = waited(delays);
          longest = Math.max(longest, gap);
          held = Math.max(held, gap - (then - waited));
          waited = then;
          now = System.nanoTime();
        }
        last = now;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  // How long this thread was ready to run and had no CPU, so far, in ns.
  static long waited(RandomAccessFile delays) throws IOException {
    delays.seek(0);
    return Long.parseLong(delays.readLine().split(" ")[1]);
  }

  static Object command(String name, String... arguments) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    boolean bare = arguments.length == 0;
    return server.invoke(commands, name, bare ? null : new Object[] {arguments}, bare ? null : new String[] {String[].class.getName()});
  }

  static long rssKb() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status")))
      if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", ""));
    return 0;
  }
}
