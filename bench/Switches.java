// SPDX-License-Identifier: Apache-2.0
// Two threads hand a token to and fro, some thousand times a second each: a program that goes on and off processors all the time. Fixed work.
//
//   java Switches [HANDOVERS]
import java.util.concurrent.locks.LockSupport;

public class Switches {
  static volatile int turn;
  static volatile long sink;

  public static void main(String[] args) throws Exception {
    int handovers = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
    Thread[] players = new Thread[2];
    for (int me = 0; me < 2; me++) {
      int own = me;
      players[me] = new Thread(() -> play(players, own, handovers), "player-" + me);
    }
    for (Thread player : players) player.start();
    for (Thread player : players) player.join();
    System.out.println("OK");
  }

  static void play(Thread[] players, int me, int handovers) {
    for (int i = 0; i < handovers; i++) {
      while (turn != me) LockSupport.park();
      long hash = i;
      for (int k = 0; k < 2_000; k++) hash = hash * 31 + (hash >>> 7);
      sink += hash;
      turn = 1 - me;
      LockSupport.unpark(players[1 - me]);
    }
  }
}
