"""Reading outputs of a mechanism, of any kind, for every audit.

A sample of outputs is of one of three kinds, which `read_two` determines:

- *numbers* (n, d), one row for each output: numbers, vectors, matrices, images, rows of tables whose columns are all
  numbers. Complex numbers are four columns: real and imaginary part, modulus and phase. NaN and infinities are values.
- *texts* (n,): every output is a string, compared as a whole.
- *objects* (n,), everything else: `take_apart` extracts named features from each, and scores use a matrix of these
  (`Encoder`). Two outputs are equal if all features are.

An array or a table fixes the size of an output, and the two samples must agree. A list does not: if one input gives
lists of four numbers, or text, and the other lists of three, that difference is evidence.

The features of an object are as follows:

- a number is its own feature, whatever its type in a list of numbers, so that 1, 1.0 and True are equal, as are 0.0 and
  -0.0 (`features` can distinguish them, for example by ``numpy.signbit``); an integer beyond 2^53, a Decimal or a
  Fraction that is not a float also has its text as a feature; dates and times are seconds, or days;
- text and bytes are categories, with a feature for each value that is common in the learning data; text that seldom
  repeats has its common words and characters, and its length, as features;
- an array, or a list of numbers, has its coordinates, its shape and dtype, or its length, and if lengths differ also
  the mean, the least and the largest number; a sparse one its nonzero coordinates, and the number of stored ones;
- a mapping has its keys, in their order, and the features of its values; a set its members; a list, a tuple, a named
  tuple or a dataclass its items or fields; a table its columns, and its index unless it only counts rows;
- a scikit-learn estimator has `get_params`, and the fitted attributes, which end in ``_``;
- any other object has the state that pickle would save (nothing is unpickled);
- and the type of each of these is a feature, as is the absence or another kind of a value.

An object without data that can be compared, such as a lambda, a lock or a plain `object()`, is rejected. `features`, a
function of one output, replaces an output by its value, which is treated by the same rules.
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
