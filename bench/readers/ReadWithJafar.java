// SPDX-License-Identifier: Apache-2.0
// jafar's untyped reader: ReadWithJafar count FILE | stacks EVENT FILE
import io.jafar.parser.api.ArrayType;
import io.jafar.parser.api.JafarParser;
import io.jafar.parser.api.UntypedJafarParser;
import io.jafar.parser.api.Values;
import java.nio.file.Paths;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

public class ReadWithJafar {
    public static void main(String[] args) throws Exception {
        boolean stacks = args[0].equals("stacks");
        LongAdder events = new LongAdder();
        Map<String, Integer> sums = new ConcurrentHashMap<>();
        try (UntypedJafarParser parser = JafarParser.newUntypedParser(Paths.get(args[args.length - 1]))) {
            parser.handle((type, value, control) -> {
                if (stacks && !type.getName().equals(args[1])) return;
                events.increment();
                if (stacks) sums.merge(collapsed(value), 1, Integer::sum);
            });
            parser.run();
        }
        System.out.println(events + (stacks ? " " + sums.size() : ""));
    }

    private static String collapsed(Map<String, Object> event) {
        Object value = Values.get(event, "stackTrace", "frames");
        if (value instanceof ArrayType array) value = array.getArray();
        if (!(value instanceof Object[] frames)) return "[no stack]";
        StringBuilder out = new StringBuilder();
        for (int i = frames.length; --i >= 0; )
            out.append(Values.get(event, "stackTrace", "frames", i, "method", "type", "name", "string")).append('.')
               .append(Values.get(event, "stackTrace", "frames", i, "method", "name", "string")).append(';');
        return out.toString();
    }
}
