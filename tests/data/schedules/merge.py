# RUN: b0 = block("A"); l1 = loop(b0, 1); b2 = block("S"); l3 = loop(b2, 1); l4 = merge(l1, l3)
# refused: Check failed: seq.size() != 1 (1 vs. 1) : A SeqStmt of length 1 is prohibited.  Use the node for j_m in range(m):
    m = T.int64()
    n = T.int64()
    i = T.
