# RUN: b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); reorder(l2, l1); parallel(l2)
# refused: ScheduleError: An error occurred in the schedule primitive 'parallel'.
