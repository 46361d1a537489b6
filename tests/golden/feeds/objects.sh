# objects.sh NAME: writes NAME.npz with one array `w` of three Python objects, which are no numbers.
python3 - "$1" <<'END'
import struct, sys, zipfile
head = "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }"
head += " " * (63 - (10 + len(head)) % 64) + "\n"
data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"abc"
zipfile.ZipFile(sys.argv[1] + ".npz", "w").writestr("w.npy", data)
END
