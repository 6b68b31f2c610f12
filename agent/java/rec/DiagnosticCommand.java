// SPDX-License-Identifier: Apache-2.0
package rec;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The VM's own commands, as jcmd has them. The module java.management is needed here and nowhere else: whoever does not come
 * here runs in an image without it.
 */
final class DiagnosticCommand {
  private DiagnosticCommand() {}

  /** What the VM answers. */
  static String run(String operation, String... arguments) throws IOException {
    try {
      return ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), operation,
          new Object[] {arguments}, new String[] {String[].class.getName()}).toString();
    } catch (JMException failed) {
      throw new IOException(failed.toString(), failed);
    }
  }
}
