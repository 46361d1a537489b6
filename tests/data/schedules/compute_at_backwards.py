# RUN: b0 = block("B"); b1 = block("C"); l2 = loop(b1, 0); compute_at(b0, l2)
# refused: ScheduleError: An error occurred in the schedule primitive 'compute-at'.
