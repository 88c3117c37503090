"""Outputs of a mechanism, of any kind: the one way into every audit.

A sample of outputs is one of three things, and `read_two` says which:

- *numbers* (n, d), one row for each output: numbers, vectors, matrices, images, rows of tables whose columns are all
  numbers. Complex numbers are four columns: real and imaginary part, modulus and phase. NaN and infinities are values.
- *texts* (n,), where every output is a string, compared whole.
- *objects* (n,), everything else: each is taken apart into named features by `take_apart`, and what scores look at is
  a matrix of these (`Encoder`); whether two outputs are the same is asked of all of them at once.

An array or a table says itself how large an output is, and the two samples must agree. A list says nothing: that one
input gives lists of four numbers, or text, where the other gives three, is a difference that tells.

An object is taken apart so:

- a number is itself, whatever its type in a list of numbers, so that 1, 1.0 and True are one value, as 0.0 and -0.0
  are (`features` can tell them apart, as ``numpy.signbit`` does); an integer beyond 2^53, a Decimal or a Fraction that
  no float holds is its text too; dates and times are seconds, or days;
- text and bytes are categories: which of the values that were common in what was learnt from; and text that seldom
  comes again is the words and characters that are common in it, and how long it is;
- an array, or a list of numbers, is its coordinates, its shape and dtype, or its length, and of lists whose lengths
  differ the mean, the least and the largest too; a sparse one its coordinates that are not 0, and how many it holds;
- a mapping is its keys, in their order, and what they hold; a set what it contains; a list, a tuple, a named tuple or a
  dataclass its places or fields; a table its columns, and its index unless it merely counts;
- a scikit-learn estimator is `get_params`, and the fitted attributes, those that end in ``_``;
- any other object is what pickle would keep of it (nothing is unpickled);
- and of each of these its type is a feature. Where something is missing or of another kind, that is a feature too.

What holds no data that could be compared, as a lambda, a lock or a plain `object()`, is refused. `features`, a function
of one output, replaces this: what it returns is looked at in its place, by the same rule.
"""

from krdtheory.audit.outputs.features import Encoder, OfFeatures, OfValues
from krdtheory.audit.outputs.objects import FIXED, Parts, Release, all_same, kept, keys, take_apart
from krdtheory.audit.outputs.samples import Features, Outputs, read, read_two, unwrapped

__all__ = [
    "FIXED",
    "Encoder",
    "Features",
    "OfFeatures",
    "OfValues",
    "Outputs",
    "Parts",
    "Release",
    "all_same",
    "kept",
    "keys",
    "read",
    "read_two",
    "take_apart",
    "unwrapped",
]
