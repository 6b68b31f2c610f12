// SPDX-License-Identifier: Apache-2.0
package rec;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A piece of work with a name. Samples that are taken in it have its ids and its name; when it is closed, and was long enough,
 * it is an event rec.Span.
 *
 * <pre>{@code
 * try (Span span = Span.open("checkout")) {
 *   span.label("tenant", tenant);
 *   ...
 * }
 * }</pre>
 *
 * <p>It belongs to the thread that has opened it, also if that is a virtual one, and is closed there; spans may be nested.
 * Where rec is not loaded, all methods do nothing; none of them throws.
 */
public final class Span implements AutoCloseable {
  private static final Span NONE = new Span(null, 0, 0, 0, 0);

  private final Context thread; // whose it is; null: nobody's
  private final Span outer; // around it; null: none
  private final long traceHigh, traceLow, spanId;
  private final int name;
  private final long traceHighBefore, traceLowBefore, spanIdBefore;
  private final int nameBefore;
  private final long start;
  private StringBuilder labels;
  private boolean closed;

  /** In the trace of the span around it, if there is one, with an id of its own. */
  public static Span open(String name) {
    if (!Native.on) return NONE;
    Context thread = Context.of();
    return new Span(thread, thread.traceHigh, thread.traceLow, newId(), Native.nameOf(name));
  }

  /** With these ids: of the trace's 32 hexadecimal digits the first 16 and the last, and the span's. */
  public static Span open(String name, long traceHigh, long traceLow, long spanId) {
    if (!Native.on) return NONE;
    return new Span(Context.of(), traceHigh, traceLow, spanId == 0 ? newId() : spanId, Native.nameOf(name));
  }

  /** With ids as W3C Trace Context writes them. What is no such id counts as none. */
  public static Span open(String name, String traceId, String spanId) {
    if (!Native.on) return NONE;
    return open(name, Context.id(traceId, 32, 0), Context.id(traceId, 32, 16), Context.id(spanId, 16, 0));
  }

  private Span(Context thread, long traceHigh, long traceLow, long spanId, int name) {
    this.thread = thread;
    this.traceHigh = traceHigh;
    this.traceLow = traceLow;
    this.spanId = spanId;
    this.name = name;
    traceHighBefore = thread == null ? 0 : thread.traceHigh;
    traceLowBefore = thread == null ? 0 : thread.traceLow;
    spanIdBefore = thread == null ? 0 : thread.spanId;
    nameBefore = thread == null ? 0 : thread.name;
    outer = thread == null ? null : thread.span;
    start = thread == null ? 0 : thread.begin(traceHigh, traceLow, spanId, name);
    if (thread != null) thread.span = this;
  }

  /** Of rec.Span, the first 250 bytes of them: key=value, separated by commas. */
  public Span label(String key, Object value) {
    if (start == 0) return this;
    labels = labels == null ? new StringBuilder() : labels.append(',');
    labels.append(key).append('=').append(value);
    return this;
  }

  /** As W3C Trace Context writes it; zeros where rec is not loaded. */
  public String spanId() {
    String digits = Long.toHexString(spanId);
    return "0".repeat(16 - digits.length()) + digits;
  }

  /**
   * Once; again without effect. The context before is set again, and never that of a span that is closed; nothing changes while
   * spans inside this one are open.
   */
  @Override
  public void close() {
    if (thread == null || closed) return;
    closed = true;
    if (thread != Context.of()) {
      Native.lost();
      return;
    }
    if (thread.span == this) leave();
    if (start == 0) return;
    byte[] text = labels == null ? null : labels.toString().getBytes(StandardCharsets.UTF_8);
    Native.ended(traceHigh, traceLow, spanId, name, start, text);
  }

  private void leave() {
    Span last = this;
    while (last.outer != null && last.outer.closed) last = last.outer;
    thread.change(last.traceHighBefore, last.traceLowBefore, last.spanIdBefore, last.nameBefore);
    thread.span = last.outer;
  }

  private static long newId() {
    long id = ThreadLocalRandom.current().nextLong();
    return id == 0 ? 1 : id;
  }
}
