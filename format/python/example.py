# SPDX-License-Identifier: Apache-2.0
"""The hottest methods of a recording, and what its threads took: python3 example.py app.jfr"""
import sys
from collections import Counter

import jrec

recording = jrec.open(sys.argv[1])
methods, threads = Counter(), Counter()
for sample in recording.events("jdk.ExecutionSample"):
    threads[sample["sampledThread"]] += 1
    if sample["stackTrace"]:
        methods[sample["stackTrace"][0].name] += 1

print("%d samples of %d threads" % (sum(threads.values()), len(threads)))
for method, samples in methods.most_common(5):
    print("%6d  %s" % (samples, method))
for stack, samples in recording.collapsed().most_common(1):
    print("most often, %d times:" % samples, *stack.split(";"), sep="\n  ")
for problem in recording.problems:
    print("at %#x: %s" % problem, file=sys.stderr)
