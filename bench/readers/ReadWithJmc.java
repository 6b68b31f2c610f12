// SPDX-License-Identifier: Apache-2.0
// JMC's parser, which loads the whole recording: ReadWithJmc count FILE | stacks EVENT FILE
import java.io.File;
import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

public class ReadWithJmc {
    public static void main(String[] args) throws Exception {
        boolean stacks = args[0].equals("stacks");
        long events = 0;
        Map<String, Integer> sums = new HashMap<>();
        for (IItemIterable items : JfrLoaderToolkit.loadEvents(new File(args[args.length - 1]))) {
            if (stacks && !items.getType().getIdentifier().equals(args[1])) continue;
            var stack = JfrAttributes.EVENT_STACKTRACE.getAccessor(items.getType());
            for (IItem item : items) {
                events++;
                if (stacks) sums.merge(collapsed(stack.getMember(item)), 1, Integer::sum);
            }
        }
        System.out.println(events + (stacks ? " " + sums.size() : ""));
    }

    private static String collapsed(IMCStackTrace trace) {
        if (trace == null) return "[no stack]";
        StringBuilder out = new StringBuilder();
        var frames = trace.getFrames();
        for (int i = frames.size(); --i >= 0; ) {
            IMCFrame frame = frames.get(i);
            out.append(frame.getMethod().getType().getFullName()).append('.').append(frame.getMethod().getMethodName()).append(';');
        }
        return out.toString();
    }
}
