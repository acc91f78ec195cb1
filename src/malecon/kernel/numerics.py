"""`exp` and `log` as kernels of our own, so that machine code, WebAssembly and plain Python compute the same bits.

The C library of every system rounds its `exp` a little differently, and browsers have their own. These use nothing but
additions, multiplications and divisions, which IEEE 754 rounds the same way everywhere. Both are within one unit in the
last place (the reductions and polynomials are those of FreeBSD's msun).
"""

from __future__ import annotations

import numpy as np

from malecon.kernel.compile import kernel

#: Below this `exp` is 0: what is left out is smaller than any number with full precision.
LEAST_EXPONENT = -708.0
#: From here on `exp` is infinite.
MOST_EXPONENT = 709.0
_PER_LN2 = 1.44269504088896338700
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_E1, _E2, _E3 = 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05
_E4, _E5 = -1.65339022054652515390e-06, 4.13813679705723846039e-08
_L1, _L2, _L3 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
_L4, _L5, _L6 = 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01
_L7 = 1.479819860511658591e-01
_ROOT_2 = 1.41421356237309504880
#: 2 ** (32 n) for n from -33 to 31, and 2 ** n for n from 0 to 31: their products are exact.
_LEAST_STEP = -33
_STEPS = np.array([2.0 ** (32 * n) for n in range(_LEAST_STEP + 1, 32)])
_POWERS = np.array([2.0**n for n in range(32)])


@kernel(inline=True)
def power_of_2(n: int) -> float:
    """Return 2 ** n, for n from -1022 to 1023."""
    return _STEPS[(n >> 5) - _LEAST_STEP - 1] * _POWERS[n & 31]  # type: ignore[no-any-return]


@kernel
def exp(x: float) -> float:
    """Return e ** x."""
    if x < LEAST_EXPONENT:
        return 0.0
    if x > MOST_EXPONENT:
        return np.inf
    if x != x:
        return x
    scaled = x * _PER_LN2
    n = int(scaled + 0.5) if scaled >= 0 else int(scaled - 0.5)
    high = x - n * _LN2_HIGH
    low = n * _LN2_LOW
    r = high - low
    t = r * r
    c = r - t * (_E1 + t * (_E2 + t * (_E3 + t * (_E4 + t * _E5))))
    return (1.0 - ((low - (r * c) / (2.0 - c)) - high)) * power_of_2(n)


@kernel
def log(x: float) -> float:
    """Return the natural logarithm of a positive number. Meant for numbers not too far from 1: it halves or doubles."""
    n = 0
    while x > _ROOT_2:
        x *= 0.5
        n += 1
    while x < 0.5 * _ROOT_2:
        x *= 2.0
        n -= 1
    f = x - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (_L2 + w * (_L4 + w * _L6))
    odd = z * (_L1 + w * (_L3 + w * (_L5 + w * _L7)))
    half = 0.5 * f * f
    return n * _LN2_HIGH - ((half - (s * (half + (even + odd)) + n * _LN2_LOW)) - f)
