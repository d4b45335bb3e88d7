#pragma once
// Threads of a kernel. On other chips data-movement kernels have several, here a kernel has one.

#include <stdint.h>

constexpr uint32_t get_num_threads() { return 1; }
constexpr uint32_t get_my_thread_id() { return 0; }
inline void thread_sync_init() {}
inline void wait_threads(uint32_t) {}
inline void sync_threads() {}
