// SPDX-License-Identifier: Apache-2.0
package rec;

/**
 * Tells rec which request the calling thread works for, so that its samples have the trace and span. For those whose tracer
 * does not write OpenTelemetry's thread context; where one does, its ids count.
 *
 * <p>A context belongs to the thread that has set it, also if that is a virtual one, whichever carrier it runs on. It is not
 * inherited. Where rec is not loaded, all methods do nothing; none of them throws.
 */
public final class Context {
  private static final ThreadLocal<Context> CURRENT = ThreadLocal.withInitial(Context::new);

  private final long virtualId = Native.virtualId();
  long traceHigh, traceLow, spanId;
  int name;
  Span span; // whose context this is; null: none's

  private Context() {
    if (virtualId != 0) Ended.await(this, virtualId);
  }

  /** Whether rec is there. */
  public static boolean isOn() {
    return Native.on;
  }

  /** The ids as numbers: of the trace's 32 hexadecimal digits the first 16 and the last; zeros: none. */
  public static void set(long traceHigh, long traceLow, long spanId) {
    if (Native.on) of().change(traceHigh, traceLow, spanId, 0);
  }

  /** The ids as W3C Trace Context writes them. What is no such id counts as none. */
  public static void set(String traceId, String spanId) {
    if (Native.on) set(id(traceId, 32, 0), id(traceId, 32, 16), id(spanId, 16, 0));
  }

  /** The calling thread works for no request any more. */
  public static void clear() {
    if (Native.on) of().change(0, 0, 0, 0);
  }

  static Context of() {
    return CURRENT.get();
  }

  void change(long traceHigh, long traceLow, long spanId, int name) {
    keep(traceHigh, traceLow, spanId, name);
    Native.set(virtualId, traceHigh, traceLow, spanId, name);
  }

  /** Gives the time, 0 when spans are not recorded. */
  long begin(long traceHigh, long traceLow, long spanId, int name) {
    keep(traceHigh, traceLow, spanId, name);
    return Native.begin(virtualId, traceHigh, traceLow, spanId, name);
  }

  private void keep(long traceHigh, long traceLow, long spanId, int name) {
    span = null;
    this.traceHigh = traceHigh;
    this.traceLow = traceLow;
    this.spanId = spanId;
    this.name = name;
  }

  /** The 16 digits from there on, of a text of that many. */
  static long id(String digits, int length, int from) {
    if (digits == null || digits.length() != length) return 0;
    long id = 0;
    for (int i = from; i < from + 16; ++i) {
      int digit = Character.digit(digits.charAt(i), 16);
      if (digit < 0) return 0;
      id = id << 4 | digit;
    }
    return id;
  }
}
