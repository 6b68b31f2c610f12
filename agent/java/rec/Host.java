// SPDX-License-Identifier: Apache-2.0
package rec;

/** The VM and the system that we are in; of VMs agent/main/known_vm.h has the same list. Compiled for Java 8. */
final class Host {
  private static final int OLDEST_JAVA = 17;

  private Host() {}

  /** Why nothing can be recorded here, a sentence without a full stop; null: nothing speaks against it. */
  static String whyNot() {
    String vm = property("java.vm.name");
    if (property("org.graalvm.nativeimage.imagecode").equals("runtime") || vm.contains("Substrate"))
      return "this is a native image, and rec records HotSpot";
    if (vm.contains("Zero")) return "this VM is " + vm + ", which is not supported";
    if (vm.contains("J9") || vm.contains("Zing")) return "this VM is " + vm + ", and rec records HotSpot";
    if (!property("os.name").equals("Linux")) return "this system is " + property("os.name") + ", and rec records on Linux";
    if (java() < OLDEST_JAVA) return "this is Java " + java() + ", and rec records " + OLDEST_JAVA + " and later";
    return null;
  }

  /** As folders of natives are called: linux-x64. */
  static String platform() {
    String arch = property("os.arch");
    if (arch.equals("amd64") || arch.equals("x86_64")) arch = "x64";
    if (arch.equals("aarch64")) arch = "arm64";
    return "linux-" + arch;
  }

  // 8 says 1.8
  private static int java() {
    String version = property("java.specification.version");
    try {
      return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    } catch (NumberFormatException newerThanAll) {
      return OLDEST_JAVA;
    }
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    return value == null ? "" : value;
  }
}
