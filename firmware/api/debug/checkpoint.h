#pragma once
// Places where a core's kernels wait for each other and print in tt-metal's debug builds. Here they
// have no effect: gdb can stop all cores anywhere (platform/debug).

#define DEBUG_CHECKPOINT(name)
#define DEBUG_CHECKPOINT_EX(name, num_cbs, words_per_cb, dump_dest)
#define DEBUG_CHECKPOINT_GLOBAL(name, sem_id, coordinator_x, coordinator_y, num_cores)
