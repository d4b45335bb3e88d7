#pragma once
// Places at which a core's kernels wait for each other and print, in builds for debugging that are
// not made here: gdb stops them all anywhere (platform/debug).

#define DEBUG_CHECKPOINT(name)
#define DEBUG_CHECKPOINT_EX(name, num_cbs, words_per_cb, dump_dest)
#define DEBUG_CHECKPOINT_GLOBAL(name, sem_id, coordinator_x, coordinator_y, num_cores)
