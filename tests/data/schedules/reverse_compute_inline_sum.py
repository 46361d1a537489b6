# RUN: b0 = block("B"); reverse_compute_inline(b0)
# refused: ScheduleError: An error occurred in the schedule primitive 'reverse-compute-inline'.
