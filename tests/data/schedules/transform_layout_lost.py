# RUN: b0 = block("A"); transform_layout(b0, 0, lambda i, j: (j // 16, i))
# refused: Check failed: *index_dtype == args[i]->dtype (int64 vs. int32) : Buffer index 40 has dtype int32, but previous index for the same buffer access used index type 
