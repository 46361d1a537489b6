# RUN: b0 = block("Y"); set_scope(b0, 0, "shared")
# refused: ScheduleError: An error occurred in the schedule primitive 'set-scope'.
