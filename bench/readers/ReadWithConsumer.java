// SPDX-License-Identifier: Apache-2.0
// The JDK's own reader: ReadWithConsumer count FILE | stacks EVENT FILE
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

public class ReadWithConsumer {
    public static void main(String[] args) throws Exception {
        boolean stacks = args[0].equals("stacks");
        long events = 0;
        Map<String, Integer> sums = new HashMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(args[args.length - 1]))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (!stacks) {
                    events++;
                } else if (event.getEventType().getName().equals(args[1])) {
                    events++;
                    sums.merge(collapsed(event.getStackTrace()), 1, Integer::sum);
                }
            }
        }
        System.out.println(events + (stacks ? " " + sums.size() : ""));
    }

    private static String collapsed(RecordedStackTrace trace) {
        if (trace == null) return "[no stack]";
        StringBuilder out = new StringBuilder();
        var frames = trace.getFrames();
        for (int i = frames.size(); --i >= 0; ) {
            RecordedFrame frame = frames.get(i);
            out.append(frame.getMethod().getType().getName()).append('.').append(frame.getMethod().getName()).append(';');
        }
        return out.toString();
    }
}
