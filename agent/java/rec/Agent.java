// SPDX-License-Identifier: Apache-2.0
package rec;

/**
 * What the VM calls of {@code -javaagent:rec.jar=OPTIONS}, before the program's main method, and of an agent that is attached
 * to it. The options are those of {@code -agentpath:librec.so=OPTIONS}.
 *
 * <p>Compiled for Java 8, with {@link Host}: an older VM reads these two, is refused in a line, and runs its program.
 */
public final class Agent {
  private Agent() {}

  public static void premain(String options) {
    String text = options == null ? "" : options;
    String why = Host.whyNot();
    try {
      if (why == null) why = Recorder.startedWith(text);
    } catch (Throwable failed) { // what is in our way, also that there is no memory, is not in the program's
      why = failed.toString();
    }
    if (why != null) refuse(why, text.contains("onerror=exit"));
  }

  public static void agentmain(String options) {
    String why = Host.whyNot();
    try {
      say(why != null ? why : Recorder.answerTo(options == null ? "" : options));
    } catch (Throwable failed) {
      say(failed instanceof IllegalStateException ? failed.getMessage() : failed.toString());
    }
  }

  private static void refuse(String why, boolean exits) {
    say(why + (exits ? ". The JVM ends (onerror=exit)." : ". The application runs unrecorded."));
    if (exits) Runtime.getRuntime().halt(1);
  }

  private static void say(String line) {
    System.err.println("rec: " + line);
  }
}
