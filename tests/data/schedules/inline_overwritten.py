# RUN: b0 = block("C"); compute_inline(b0)
# refused: ScheduleError: An error occurred in the schedule primitive 'compute-inline'.
