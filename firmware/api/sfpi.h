#pragma once

// Vectors of the vector unit in kernels. See sfpi/README.md.

#include "api/sfpi/library.h"
