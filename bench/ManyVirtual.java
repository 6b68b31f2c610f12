// SPDX-License-Identifier: Apache-2.0
// Many virtual threads, each parked 15 frames down. Ends with its standard input.
//
//   java ManyVirtual THREADS
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

public class ManyVirtual {
  static void down(int level, CountDownLatch there) {
    if (level > 0) {
      down(level - 1, there);
      return;
    }
    there.countDown();
    while (true) LockSupport.park();
  }

  public static void main(String[] args) throws Exception {
    CountDownLatch there = new CountDownLatch(Integer.parseInt(args[0]));
    for (long i = there.getCount(); i > 0; i--) Thread.ofVirtual().name("many-" + i).start(() -> down(10, there));
    there.await();
    System.out.println("ready");
    while (System.in.read() >= 0) { }
  }
}
