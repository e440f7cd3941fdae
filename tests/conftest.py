"""What all tests share: no numeric library takes both cores for itself."""

import os

# Read when the libraries are loaded, so that no test has to load them only to tell them.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(variable, "1")
