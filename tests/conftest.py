"""One BLAS thread, set before NumPy is loaded: results and timings must not depend on the machine's load."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
