#pragma once
// Entry of a firmware: stack at the top of local memory.

#include "firmware/boot/start.h"

TVP_START(TVP_SET_GP "  la sp, __stack_top\n" TVP_INIT_LOCAL_MEMORY "  tail firmware_main\n")
