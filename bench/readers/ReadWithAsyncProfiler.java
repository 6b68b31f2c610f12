// SPDX-License-Identifier: Apache-2.0
// async-profiler's reader, which knows some types of events: ReadWithAsyncProfiler count FILE | stacks EVENT FILE
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import one.jfr.ClassRef;
import one.jfr.JfrReader;
import one.jfr.MethodRef;
import one.jfr.StackTrace;
import one.jfr.event.AllocationSample;
import one.jfr.event.Event;
import one.jfr.event.ExecutionSample;

public class ReadWithAsyncProfiler {
    private static JfrReader reader;
    private static Map<Long, String> names = new HashMap<>();

    public static void main(String[] args) throws Exception {
        boolean stacks = args[0].equals("stacks");
        reader = new JfrReader(args[args.length - 1]);
        if (!stacks) {
            long events = 0;
            while (reader.readEvent() != null) events++;
            System.out.println(events);
            return;
        }
        Class<? extends Event> type = args[1].startsWith("jdk.ObjectAllocation") ? AllocationSample.class : ExecutionSample.class;
        Map<String, Integer> sums = new HashMap<>();
        long events = 0;
        reader.stopAtNewChunk = true;
        while (reader.hasMoreChunks()) {
            Map<Integer, Integer> byStack = new HashMap<>();
            names.clear();
            for (Event event; (event = reader.readEvent(type)) != null; events++) byStack.merge(event.stackTraceId, 1, Integer::sum);
            byStack.forEach((stack, count) -> sums.merge(collapsed(reader.stackTraces.get(stack)), count, Integer::sum));
        }
        System.out.println(events + " " + sums.size());
    }

    private static String collapsed(StackTrace trace) {
        if (trace == null) return "[no stack]";
        StringBuilder out = new StringBuilder();
        for (int i = trace.methods.length; --i >= 0; ) out.append(names.computeIfAbsent(trace.methods[i], ReadWithAsyncProfiler::name)).append(';');
        return out.toString();
    }

    private static String name(long id) {
        MethodRef method = reader.methods.get(id);
        if (method == null) return "[unknown]";
        ClassRef holder = reader.classes.get(method.cls);
        return text(reader.symbols.get(holder.name)) + "." + text(reader.symbols.get(method.name));
    }

    private static String text(byte[] symbol) {
        return symbol == null ? "" : new String(symbol, StandardCharsets.UTF_8);
    }
}
