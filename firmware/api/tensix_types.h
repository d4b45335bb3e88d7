#pragma once
// Types of the coprocessor that kernels include; the compute API brings what it needs.

#include "internal/risc_attribs.h"
