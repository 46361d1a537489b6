# index.sh NAME NUMBER...: writes the numbers to NAME.npy, as int64 of shape (count,).
name=$1
shift
python3 - "$name" "$@" <<'END'
import struct, sys
numbers = [int(x) for x in sys.argv[2:]]
head = "{'descr': '<i8', 'fortran_order': False, 'shape': (%d,), }" % len(numbers)
head += " " * (63 - (10 + len(head)) % 64) + "\n"
with open(sys.argv[1] + ".npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
    f.write(struct.pack("<%dq" % len(numbers), *numbers))
END
