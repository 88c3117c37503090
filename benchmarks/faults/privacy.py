"""Faults of mechanisms, conversions, composition and privacy regions."""

from faults.fault import faults_of

GUARANTEES = faults_of(
    "krdtheory/privacy/guarantees.py",
    ("return np.where(near < value, np.nextafter(near, np.inf), near)", "return near", "to nearest"),
    (
        "return np.where(near < value, np.nextafter(near, np.inf), near)",
        "return np.where(near < value, near, np.nextafter(near, -np.inf))",
        "down",
    ),
    ("out = rounded_up(value + error)", "out = rounded_up(value)", "without the error"),
    ("known = (value == np.inf) |", "known = (value == value) |", "doubtful values are believed"),
    ("value - error >= np.nextafter(most, 0)\n", "value - error >= 0.99 * most\n", "nearly all is all"),
    ("return value + abs(value) * value.context.mpf(10) ** -digits", "return value", "what mpmath knows is believed"),
    ("while not arb(near) >= ball:", "while not arb(near) >= ball.mid():", "balls: above the midpoint"),
)

FAULTS = [*GUARANTEES]

TESTS = {
    "krdtheory/privacy/guarantees.py": ("tests/privacy/test_safe_side.py", "tests/privacy/test_composition.py"),
}
