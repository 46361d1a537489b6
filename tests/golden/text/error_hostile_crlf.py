# Line ends of another system are fine.
# RUN: printf '@I.ir_module\r\nclass Module:\r\n    @R.function\r\n    def main(x: R.Tensor((4,), \"float32\")):\r\n        return x\r\n' > crlf.py; relax check crlf.py
# WANT:
