# RUN: b0 = block("C"); compute_inline(b0); b1 = block("D"); l2 = loop(b1, 1); b3 = decompose_reduction(b1, l2); b4 = block("B"); l5 = loop(b4, 0); l6 = loop(b1, 0); parallel(l5); parallel(l6)
# refused: ScheduleError: An error occurred in the schedule primitive 'parallel'.
