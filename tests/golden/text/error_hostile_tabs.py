# Tabs in the indentation.
# RUN: printf '@I.ir_module\nclass Module:\n\t@R.function\n\tdef main(x: R.Tensor((4,), \"float32\")):\n\t\treturn x\n' > tabs.py; relax check tabs.py
# FAILS: 1
# WANT:
tabs.py:3:1: error: tab in the indentation: use spaces (taken as 8 columns)
    	@R.function
    ^
