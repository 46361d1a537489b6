# RUN: b0 = block("Y"); cache_write(b0, 0, "local")
# refused: ScheduleError: An error occurred in the schedule primitive 'cache-write'.
