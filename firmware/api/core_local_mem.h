#pragma once
// CoreLocalMem, and on data-movement cores its transactions.

#include "internal/core_local_mem.h"
#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/noc.h"
#endif
