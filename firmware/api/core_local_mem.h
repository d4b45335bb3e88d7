#pragma once
// CoreLocalMem, and on cores that move data what moves it.

#include "internal/core_local_mem.h"
#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/noc.h"
#endif
