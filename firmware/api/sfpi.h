#pragma once

// Vectors of the vector unit in kernels: sfpi/README.md.

#include "api/sfpi/library.h"
