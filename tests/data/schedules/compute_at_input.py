# RUN: b0 = block("C"); b1 = block("B"); l2 = loop(b1, 0); compute_at(b0, l2)
# refused: ScheduleError: An error occurred in the schedule primitive 'compute-at'.
