// SPDX-License-Identifier: Apache-2.0
// Many threads, each parked 15 frames down. Ends with its standard input.
//
//   java ManyThreads THREADS
import java.util.concurrent.locks.LockSupport;

public class ManyThreads {
  static void down(int level) {
    if (level == 0) while (true) LockSupport.park();
    down(level - 1);
  }

  public static void main(String[] args) throws Exception {
    for (int i = Integer.parseInt(args[0]); i > 0; i--) {
      Thread thread = new Thread(null, () -> down(10), "many-" + i, 256 << 10);
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println("ready");
    while (System.in.read() >= 0) { }
  }
}
