# RUN: b0 = block("B"); l1 = loop(b0, 1); b2 = decompose_reduction(b0, l1); vectorize(l1)
# refused: ScheduleError: An error occurred in the schedule primitive 'vectorize'.
