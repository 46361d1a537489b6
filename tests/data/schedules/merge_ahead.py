# RUN: b0 = block("A"); l1 = loop(b0, 0); b2 = block("B"); l3 = loop(b2, 0); l4 = merge(l1, l3)
# refused: Check failed: seq.size() != 1 (1 vs. 1) : A SeqStmt of length 1 is prohibited.  Use the node for i_m in range(32):
    A = T.Buffer((33,), layout=None)
    with
