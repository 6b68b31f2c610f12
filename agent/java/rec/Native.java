// SPDX-License-Identifier: Apache-2.0
package rec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;

/** The way into librec.so (agent/spans/java_spans.h). Nothing but link() is called while it is not on. */
final class Native {
  /** Whether rec is loaded and has looked at this VM. Set by link(), or by rec when it comes later. */
  static volatile boolean on;

  private static final int MOST_NAMES = 4096; // as SpanNames has it; the last one is for all others
  private static final ConcurrentHashMap<String, Integer> NAMES = new ConcurrentHashMap<>();
  private static final MethodHandle IS_VIRTUAL = isVirtual(); // null: there are no virtual threads

  static {
    try {
      if (link()) on = true;
    } catch (LinkageError notLoaded) {
      // rec may come later
    }
  }

  private Native() {}

  private static native boolean link();

  static native void set(long virtualId, long traceHigh, long traceLow, long span, int name);

  /** Likewise; gives the time at which the span begins, 0 when spans are not recorded. */
  static native long begin(long virtualId, long traceHigh, long traceLow, long span, int name);

  static native void ended(long traceHigh, long traceLow, long span, int name, long start, byte[] labels);

  /** A span cannot be written. */
  static native void lost();

  private static native int name(byte[] text);

  static int nameOf(String text) {
    if (text == null) return 0;
    Integer known = NAMES.get(text);
    if (known != null) return known;
    if (NAMES.size() >= MOST_NAMES) return MOST_NAMES;
    int number = name(text.getBytes(StandardCharsets.UTF_8));
    NAMES.put(text, number);
    return number;
  }

  /** Of the calling thread, if it is virtual; else 0. */
  @SuppressWarnings("deprecation") // Thread.threadId() is there from 19 on
  static long virtualId() {
    try {
      Thread thread = Thread.currentThread();
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread) ? thread.getId() : 0;
    } catch (Throwable cannotBe) {
      return 0;
    }
  }

  private static MethodHandle isVirtual() {
    try {
      return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException before19) {
      return null;
    }
  }
}
