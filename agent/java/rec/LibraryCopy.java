// SPDX-License-Identifier: Apache-2.0
package rec;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;

/**
 * A copy of a library in a directory that others may write to, such as /tmp:
 *
 * <pre>
 *   rec-lib-UID/ID/librec.so     where UID's directory is ours, and nobody else may enter it: made once, and kept for the next VM
 *   rec-lib-RANDOM/librec.so     where somebody else has that name: removed once it is loaded
 * </pre>
 *
 * A file that is there already counts if it is ours and has the very content. One is never changed, since others may have
 * loaded it: a new one takes its name.
 */
final class LibraryCopy implements AutoCloseable {
  private static final int KIND = 0170000, DIRECTORY = 0040000, PLAIN = 0100000;
  private static final FileAttribute<?> OURS_ALONE = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path own; // rec-lib-UID, whosever it is
  private final Path directory; // of the file
  private final boolean lasts; // the directory has the known name
  private boolean isNew, kept;

  LibraryCopy(Path parent, String id, byte[] content) throws IOException {
    int uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    own = parent.resolve("rec-lib-" + uid);
    make(own);
    lasts = isOurs(own, uid, DIRECTORY);
    directory = lasts ? own.resolve(id) : Files.createTempDirectory(parent, "rec-lib-", OURS_ALONE);
    if (lasts) make(directory);
    if (isOurs(file(), uid, PLAIN) && Arrays.equals(Files.readAllBytes(file()), content)) return;
    isNew = true;
    write(content);
  }

  private void write(byte[] content) throws IOException {
    Path whole = Files.createTempFile(directory, "new-", ".so", OURS_ALONE);
    try {
      Files.write(whole, content);
      Files.move(whole, file(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(whole); // there is none, unless that failed
    }
  }

  Path file() {
    return directory.resolve("librec.so");
  }

  /** It is loaded. */
  void keep() {
    kept = lasts;
  }

  /** What will not be loaded again goes. */
  @Override
  public void close() throws IOException {
    if (kept || !isNew) return;
    Files.deleteIfExists(file());
    Files.deleteIfExists(directory);
    if (lasts) deleteIfEmpty(own);
  }

  private static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException inUse) {
      // by another VM, or another version
    }
  }

  private static void make(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, OURS_ALONE);
    } catch (FileAlreadyExistsException there) {
      // whose it is, isOurs() tells
    }
  }

  private static boolean isOurs(Path path, int uid, int kind) throws IOException {
    if (!Files.exists(path, NOFOLLOW_LINKS)) return false;
    Map<String, Object> about = Files.readAttributes(path, "unix:uid,mode", NOFOLLOW_LINKS);
    int mode = (int) about.get("mode");
    return (int) about.get("uid") == uid && (mode & KIND) == kind && (mode & 077) == 0;
  }
}
