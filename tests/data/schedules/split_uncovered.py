# RUN: b0 = block("B"); l1 = loop(b0, 0); l2, l3 = split(l1, factors=[4, 4])
# refused: ScheduleError: An error occurred in the schedule primitive 'split'.
