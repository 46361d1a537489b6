# RUN: b0 = block("B"); l1 = loop(b0, 0); l2 = loop(b0, 1); l3 = fuse(l1, l2); parallel(l1)
# refused: The loop no longer exists in the IRModule
