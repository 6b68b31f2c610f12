// SPDX-License-Identifier: Apache-2.0
package rec;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A recording of this process, that Java starts and stops itself.
 *
 * <pre>{@code
 * try (Recorder recorder = Recorder.start("filename=app.jfr,cpu=5ms,alloc=512k")) {
 *   ...
 *   recorder.dump(Path.of("so-far.jfr"));
 * } // stopped, and finished in app.jfr
 * }</pre>
 *
 * <p>The options are those of {@code -agentpath:librec.so=}; a value with commas stands in quotes. librec.so is the one that the
 * VM has, if it was started with it or jrec has brought it; else that of this jar (see {@link Library}). What cannot be done
 * throws an {@link IllegalStateException} that says why in a line: another VM than HotSpot of Java 17 or later, a wrong option, a disk.
 * The process is not harmed by that. Any thread may call any method.
 */
public final class Recorder implements AutoCloseable {
  private final String name;
  private final Path file;
  private volatile boolean stopped;

  private Recorder(Answer begun) {
    name = begun.name();
    file = Path.of(begun.filename());
  }

  /** One beside another one needs a {@code name=} of its own. Without options, or with null, all is as by default. */
  public static Recorder start(String options) {
    return new Recorder(ask("start," + (options == null ? "" : options)));
  }

  /** The one that is under way, whoever has started it; of several, the oldest. */
  public static Optional<Recorder> running() {
    Answer answer = ask("status");
    return answer.filename().isEmpty() ? Optional.empty() : Optional.of(new Recorder(answer));
  }

  public String name() {
    return name;
  }

  /** Where it will be when it is finished. */
  public Path file() {
    return file;
  }

  /** How it stands, in a line. */
  public String status() {
    return of("status").line();
  }

  /** Writes what was recorded so far to {@link #file()}, and goes on. Gives the file. */
  public Path dump() {
    return Path.of(of("dump").filename());
  }

  /** Likewise. What stands there already stays, and the file gets a number. */
  public Path dump(Path to) {
    return Path.of(of("dump,filename=" + pattern(to)).filename());
  }

  /** Finishes it. Gives the file. */
  public synchronized Path stop() {
    Answer answer = of("stop");
    stopped = true;
    return Path.of(answer.filename());
  }

  /** Likewise, under another name. */
  public synchronized Path stop(Path to) {
    Answer answer = of("stop,filename=" + pattern(to));
    stopped = true;
    return Path.of(answer.filename());
  }

  /** Stops it, if nobody has. */
  @Override
  public synchronized void close() {
    if (stopped) return;
    stopped = true;
    carriedOut("stop,name=" + quoted(name), false); // it may have ended by its duration
  }

  /** For -javaagent. What librec.so refuses it says itself; null, or why there is none. */
  static String startedWith(String options) {
    try {
      carriedOut(options, true);
      return null;
    } catch (IllegalStateException noLibrary) {
      return noLibrary.getMessage();
    }
  }

  /** To any command of the agent's, for people. */
  static String answerTo(String command) {
    Answer answer = carriedOut(command, false);
    return answer.error().isEmpty() ? answer.line() : answer.error();
  }

  // Another one may have its name by now.
  private Answer of(String command) {
    if (stopped) throw new IllegalStateException("this recording is stopped");
    return ask(command + ",name=" + quoted(name));
  }

  private static Answer ask(String command) {
    String why = Host.whyNot();
    if (why != null) throw new IllegalStateException(why);
    Answer answer = carriedOut(command, false);
    if (!answer.error().isEmpty()) throw new IllegalStateException(answer.error());
    return answer;
  }

  private static Answer carriedOut(String command, boolean atStart) {
    if (command.indexOf('\0') >= 0) throw new IllegalStateException("a zero byte is in " + command.replace('\0', '?'));
    byte[] text = command.getBytes(StandardCharsets.UTF_8);
    try {
      return Answer.of(carryOut(text, atStart));
    } catch (UnsatisfiedLinkError notLoaded) {
      Library.load();
      return Answer.of(carryOut(text, atStart));
    }
  }

  // agent/main/java_recorder.cpp
  private static native byte[][] carryOut(byte[] text, boolean atStart);

  private record Answer(String error, String line, String name, String filename) {
    static Answer of(byte[][] parts) {
      return new Answer(text(parts[0]), text(parts[1]), text(parts[2]), text(parts[3]));
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  // A percent sign is the agent's own in names of files.
  private static String pattern(Path file) {
    if (file.getFileSystem() != FileSystems.getDefault())
      throw new IllegalStateException(file + " is in no file system of the machine's");
    return quoted(file.toString().replace("%", "%%"));
  }

  private static String quoted(String value) {
    char quote = value.indexOf('\'') < 0 ? '\'' : '"';
    if (value.indexOf(quote) >= 0) throw new IllegalStateException("both kinds of quotes are in " + value);
    return quote + value + quote;
  }
}
