# RUN: b0 = block("B"); l1 = loop(b0, 1); compute_inline(b0); annotate(l1, "note", 3)
# refused: The loop no longer exists in the IRModule
