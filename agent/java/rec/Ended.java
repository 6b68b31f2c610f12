// SPDX-License-Identifier: Apache-2.0
package rec;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A virtual thread that may end with a context set, whose place in rec's table (agent/context/virtual_contexts.h) another one
 * then gives back: when its {@link Context}, which nothing but the thread holds, has been collected. No thread waits for that:
 * whoever needs a place looks.
 */
final class Ended extends PhantomReference<Context> {
  private static final int MOST_AT_ONCE = 8; // more than one for each that comes, and never long

  private static final ReferenceQueue<Context> QUEUE = new ReferenceQueue<>();
  private static final Set<Ended> AWAITED = ConcurrentHashMap.newKeySet(); // or they would be collected themselves

  private final long virtualId;

  private Ended(Context thread, long virtualId) {
    super(thread, QUEUE);
    this.virtualId = virtualId;
  }

  static void await(Context thread, long virtualId) {
    leaveSome();
    AWAITED.add(new Ended(thread, virtualId));
  }

  private static void leaveSome() {
    for (int i = 0; i < MOST_AT_ONCE; ++i) {
      Ended ended = (Ended) QUEUE.poll();
      if (ended == null) return;
      AWAITED.remove(ended);
      Native.set(ended.virtualId, 0, 0, 0, 0);
    }
  }
}
