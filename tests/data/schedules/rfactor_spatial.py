# RUN: b0 = block("B"); l1 = loop(b0, 0); b2 = rfactor(b0, l1, 0)
# refused: ScheduleError: An error occurred in the schedule primitive 'rfactor'.
