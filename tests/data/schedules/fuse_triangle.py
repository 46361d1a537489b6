# RUN: b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2)
# refused: ScheduleError: An error occurred in the schedule primitive 'fuse'.
