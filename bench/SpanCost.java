// SPDX-License-Identifier: Apache-2.0
// What spans and contexts cost the program, in ns each: medians of rounds that take turns. CPU time, but of virtual threads, which
// nobody counts it for.
//
//   java [-agentpath:build/agent/librec.so=filename=/tmp/a.jfr,event=cpu] -cp build/agent/rec-context.jar bench/SpanCost.java [virtual]
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import rec.Context;
import rec.Span;

public class SpanCost {
    static final int ROUNDS = 41, TIMES = 100_000;
    static final String[] NAMES = {"context set", "context set and cleared", "span opened and closed", "span with a label"};
    static int label;

    static void once(int what, long i) {
        switch (what) {
            case 0: Context.set(1, 2, i | 1); break;
            case 1: Context.set(1, 2, i | 1); Context.clear(); break;
            case 2: try (Span span = Span.open("checkout")) { } break;
            default: try (Span span = Span.open("checkout")) { span.label("key", label); }
        }
    }

    static boolean isVirtual;

    static long now() {
        return isVirtual ? System.nanoTime() : ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    static double time(int what) {
        long start = now();
        for (int i = 0; i < TIMES; i++) once(what, i);
        return (now() - start) / (double) TIMES;
    }

    static void measure() {
        double[][] ns = new double[NAMES.length][ROUNDS];
        for (int round = -10; round < ROUNDS; round++)
            for (int what = 0; what < NAMES.length; what++) {
                double one = time(what);
                if (round >= 0) ns[what][round] = one;
                Context.clear();
            }
        for (int what = 0; what < NAMES.length; what++) {
            Arrays.sort(ns[what]);
            System.out.printf("%-28s %7.1f ns%n", NAMES[what], ns[what][ROUNDS / 2]);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Context.isOn() ? "rec is there" : "without rec");
        if (args.length == 0) {
            measure();
            return;
        }
        isVirtual = true;
        Runnable work = SpanCost::measure;
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work)).join();
    }
}
