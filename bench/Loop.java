// SPDX-License-Identifier: Apache-2.0
// One thread, a loop, fixed work: what recording costs a program that does nothing else.
public class Loop {
  static long sink;

  public static void main(String[] args) {
    for (int i = 0; i < 30; i++) sink += run(100_000_000);
    System.out.println("OK");
  }

  static long run(long rounds) {
    long hash = 1;
    for (long i = 0; i < rounds; i++) hash = hash * 6364136223846793005L + 1442695040888963407L;
    return hash;
  }
}
