# RUN: b0 = block("B"); l1 = loop(b0, 1); l2, l3 = split(l1, factors=[None, 4]); b4 = decompose_reduction(b0, l2); l5 = loop(b0, 0); parallel(l5)
# refused: ScheduleError: An error occurred in the schedule primitive 'parallel'.
