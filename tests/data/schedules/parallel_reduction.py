# RUN: b0 = block("B"); l1 = loop(b0, 1); parallel(l1)
# refused: ScheduleError: An error occurred in the schedule primitive 'parallel'.
