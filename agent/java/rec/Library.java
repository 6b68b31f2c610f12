// SPDX-License-Identifier: Apache-2.0
package rec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Brings librec.so into this process, where nobody has: once, for there must be one of it.
 *
 * <ol>
 *   <li>Another class loader has loaded it: the VM is told to take the same file for an agent's, where all classes find it.
 *   <li>{@code -Drec.library=FILE}: that file.
 *   <li>The one in this jar, from the first directory of {@link #directories()} that lets it be written and loaded. A file
 *       system may be mounted noexec; which one is, only loading tells.
 * </ol>
 */
final class Library {
  private static final String FILE = "librec.so";

  private Library() {}

  /** @throws IllegalStateException why it is not there, in a line */
  static synchronized void load() {
    try {
      Path loaded = loadedByOthers();
      String wanted = System.getProperty("rec.library");
      if (loaded != null) loadAsAgent(loaded);
      else if (wanted != null) System.load(Path.of(wanted).toAbsolutePath().toString());
      else loadOwn();
    } catch (IllegalCallerException denied) { // JEP 472
      Module own = Library.class.getModule();
      String name = own.isNamed() ? own.getName() : "ALL-UNNAMED";
      throw new IllegalStateException("this VM loads no native code unasked: add --enable-native-access=" + name, denied);
    } catch (IOException | LinkageError | SecurityException failed) {
      throw new IllegalStateException(FILE + " cannot be loaded: " + reason(failed), failed);
    }
  }

  /** null: nobody has it. */
  private static Path loadedByOthers() throws IOException {
    for (String line : Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).split("\n")) {
      String path = line.substring(Math.max(line.indexOf('/'), 0));
      if (path.endsWith(" (deleted)")) path = path.substring(0, path.length() - " (deleted)".length());
      if (path.endsWith("/" + FILE)) return Path.of(new String(path.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }
    return null;
  }

  // As jcmd PID JVMTI.agent_load does; "api" does nothing.
  private static void loadAsAgent(Path file) throws IOException {
    String said;
    try {
      said = DiagnosticCommand.run("jvmtiAgentLoad", file.toString(), "api");
    } catch (NoClassDefFoundError noModule) {
      throw new IOException("another class loader has it, and to share it takes the module java.management, which this image lacks", noModule);
    }
    if (!said.contains("return code: 0")) throw new UnsatisfiedLinkError("another class loader has it, and the VM says: " + said.strip());
  }

  private static void loadOwn() throws IOException {
    String place = "/META-INF/native-libs/" + Host.platform() + "/" + FILE;
    byte[] content = resource(place);
    if (content == null) throw new IOException("there is none for " + Host.platform() + " in this jar");
    String id = new String(resource(place + ".sha256"), StandardCharsets.UTF_8).substring(0, 16);
    List<String> tried = new ArrayList<>();
    for (Path directory : directories()) {
      if (!Files.isDirectory(directory)) continue;
      try (LibraryCopy copy = new LibraryCopy(directory, id, content)) {
        System.load(copy.file().toString());
        copy.keep();
        return;
      } catch (IOException | UnsatisfiedLinkError failed) {
        tried.add(directory + ": " + reason(failed));
      }
    }
    throw new IOException("no directory will do (" + String.join("; ", tried) + "); -Djava.io.tmpdir= or -Drec.library= names another one");
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = Library.class.getResourceAsStream(name)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  private static Set<Path> directories() {
    Set<Path> all = new LinkedHashSet<>();
    for (String name : new String[] {System.getProperty("java.io.tmpdir"), "/tmp", "/var/tmp", System.getenv("XDG_RUNTIME_DIR"), "/dev/shm"})
      if (name != null && !name.isEmpty()) all.add(Path.of(name).toAbsolutePath());
    all.add(Path.of(System.getProperty("user.home", "/"), ".cache"));
    return all;
  }

  private static String reason(Throwable failed) {
    String message = failed.getMessage();
    String kind = failed instanceof UnsatisfiedLinkError || message != null && message.contains(" ") ? "" : failed.getClass().getSimpleName() + " ";
    return (kind + message).replace('\n', ' ');
  }
}
