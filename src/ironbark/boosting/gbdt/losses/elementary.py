"""exp, expm1 and log1p without branches, so that loops over samples compile to vector instructions.

The functions of the mathematical library are called for one number at a time. These are accurate to a few units of the
last place on the ranges that losses need.
"""

import math

import numpy as np

from ironbark.jit import inlined_kernel

LOG2_E = 1.0 / math.log(2.0)
# ln 2 in two parts: the first has 32 bits, so that its product with a small integer is exact; the second is the rest.
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")

SHIFT = 1.5 * 2.0**52  # a number of up to 2^51 that is added to it is rounded to an integer
SHIFT_BITS = np.float64(SHIFT).view(np.uint64)
MANTISSA, BIAS = np.uint64(52), np.uint64(1023)  # bits, and exponent of 1, of a float64
BELOW = np.uint64(2**52 - 1)  # the bits of the mantissa
SMALLEST = -708.0  # exp of less is 0 here; it isn't a normal number any more

# Taylor coefficients: of (expm1(x) - x) / x^2, the last term being below 1e-17 for |x| <= ln(2) / 2 ...
E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13 = (1.0 / math.factorial(n) for n in range(2, 14))
# ... and of 2 atanh(x) / x - 2 as a series in x^2, likewise for |x| <= 0.172.
T1, T2, T3, T4, T5, T6, T7, T8, T9, T10 = (2.0 / (2 * n + 1) for n in range(1, 11))


@inlined_kernel
def power_of_two(shifted):
    """2^k of `shifted` = k + SHIFT with an integer k in [-1022, 1023]."""
    # k is in the lowest bits of k + SHIFT; moved up, it is the exponent of a float64.
    exponent = np.float64(shifted).view(np.uint64) + BIAS - SHIFT_BITS
    return np.uint64(exponent << MANTISSA).view(np.float64)


@inlined_kernel
def exponent_and_share(x):
    """k and f of x = 2^k (1 + f) with 0 <= f < 1, for normal x > 0."""
    # The exponent, behind the bits of SHIFT, is the number k + SHIFT; without it, a float64 is 1 + f.
    bits = np.float64(x).view(np.uint64)
    shifted = np.uint64((bits >> MANTISSA) + SHIFT_BITS - BIAS).view(np.float64)
    return shifted - SHIFT, np.uint64(bits & BELOW | BIAS << MANTISSA).view(np.float64) - 1.0


@inlined_kernel
def expm1_and_exp(x):
    """(exp(x) - 1, exp(x)) of x <= 0, each to full relative precision."""
    inside = x if x > SMALLEST else SMALLEST
    shifted = inside * LOG2_E + SHIFT
    k = shifted - SHIFT
    y = (inside - k * LN2_HIGH) - k * LN2_LOW  # exp(x) = 2^k exp(y) with |y| <= ln(2) / 2
    y2 = y * y
    y4 = y2 * y2
    # Pairs of pairs, for terms that don't wait for each other.
    low = (E2 + E3 * y) + (E4 + E5 * y) * y2
    middle = (E6 + E7 * y) + (E8 + E9 * y) * y2
    high = (E10 + E11 * y) + (E12 + E13 * y) * y2
    less_one = y + y2 * (low + y4 * (middle + y4 * high))
    scale = power_of_two(shifted) if x >= SMALLEST else 0.0
    return scale * less_one + (scale - 1.0), scale * less_one + scale


@inlined_kernel
def log1p_of_share(x):
    """ln(1 + x) of 0 <= x <= 1 to full relative precision: 2 atanh(s) with 1 + x = c (1 + s) / (1 - s), c = 1 or 2."""
    halved = x > 0.41421356
    s = (x - 1.0 if halved else x) / (x + (3.0 if halved else 2.0))
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    low = (T1 + T2 * z) + (T3 + T4 * z) * z2
    middle = (T5 + T6 * z) + (T7 + T8 * z) * z2
    rest = low + z4 * (middle + z4 * (T9 + T10 * z))
    return (math.log(2.0) if halved else 0.0) + (2.0 * s + s * z * rest)


@inlined_kernel
def log_above_one(x):
    """ln(x) of finite x >= 1 to full relative precision."""
    exponent, share = exponent_and_share(x)
    return exponent * math.log(2.0) + log1p_of_share(share)
