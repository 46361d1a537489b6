# two_over_pi.py - the bits of 2 / pi behind the reduction of large angles (src/target/emit_angle.c), 64 to a word.
BITS, WORDS = 1500, 19


def arctan_inverse(n, one):
    """one * atan(1 / n), by its series in whole numbers."""
    total, power, k = 0, one // n, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return total


one = 1 << BITS
pi = 4 * (4 * arctan_inverse(5, one) - arctan_inverse(239, one))  # Machin's formula
bits = (2 * one * one // pi) >> (BITS - 64 * WORDS)
for i in reversed(range(WORDS)):
    print(f"0x{bits >> 64 * i & (1 << 64) - 1:016x}", end=", " if i else "\n")
