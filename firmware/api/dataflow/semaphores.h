#pragma once
// Semaphores are words in L1, each in 16 bytes of its own (kernel_api 1.5).

#include <stdint.h>

#include "dataflow/noc_transactions.h"
#include "debug/assert.h"

template <ProgrammableCoreType type = ProgrammableCoreType::TENSIX>
FORCE_INLINE uint32_t get_semaphore(uint32_t semaphore_id) {
  TVP_CHECK_OF(semaphore_id, SemaphoreBeyond, semaphore_id < tvp::contract::kSemaphores);
  return reinterpret_cast<uint32_t>(sem_l1_base[static_cast<int>(type)]) +
         semaphore_id * tvp::contract::kSemaphoreStride;
}

/// Waits until a register of this tile has the value.
inline void wait_for_sync_register_value(uintptr_t addr, int32_t val) {
  WAYPOINT("SW");
  while (*reinterpret_cast<volatile int32_t*>(addr) != val) {
  }
  WAYPOINT("SD");
}

FORCE_INLINE void noc_semaphore_set(volatile uint32_t* sem_addr, uint32_t val) { *sem_addr = val; }
// Waits for equality: it misses a value that overshoots.
inline void noc_semaphore_wait(volatile uint32_t* sem_addr, uint32_t val) {
  WAYPOINT("NSW");
  while (*sem_addr != val) {
  }
  WAYPOINT("NSD");
}
inline void noc_semaphore_wait_min(volatile uint32_t* sem_addr, uint32_t val) {
  WAYPOINT("NSMW");
  while (*sem_addr < val) {
  }
  WAYPOINT("NSMD");
}

template <bool posted = false>
FORCE_INLINE void noc_semaphore_inc(uint64_t addr, uint32_t incr, uint8_t noc_id = noc_index,
                                    uint8_t vc = NOC_UNICAST_WRITE_VC) {
  WAYPOINT("NSIW");
  noc_fast_atomic_increment(noc_id, write_at_cmd_buf, addr, vc, incr, 31, false, posted);
  WAYPOINT("NSID");
}
/// Increments the semaphore of every tile of the rectangle. Each tile sends its own response.
template <bool posted = false>
FORCE_INLINE void noc_semaphore_inc_multicast(uint64_t addr, uint32_t incr, uint32_t num_dests,
                                              uint8_t noc_id = noc_index,
                                              uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  WAYPOINT("NSIW");
  noc_fast_atomic_increment(noc_id, write_at_cmd_buf, addr, vc, incr, 31, false, posted,
                            MEM_NOC_ATOMIC_RET_VAL_ADDR, num_dests);
  WAYPOINT("NSID");
}
inline void noc_semaphore_set_remote(uint32_t src_local_l1_addr, uint64_t dst_noc_addr,
                                     uint8_t noc = noc_index) {
  WAYPOINT("NSSW");
  ncrisc_noc_fast_write_any_len(noc, write_reg_cmd_buf, src_local_l1_addr, dst_noc_addr, 4,
                                NOC_UNICAST_WRITE_VC, false, false, 1);
  WAYPOINT("NSSD");
}
inline void noc_semaphore_set_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                        uint32_t num_dests, bool linked = false,
                                        uint8_t noc = noc_index) {
  WAYPOINT("NSNW");
  ncrisc_noc_fast_write_any_len(noc, write_reg_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast,
                                4, NOC_MULTICAST_WRITE_VC, true, linked, num_dests);
  WAYPOINT("NSND");
}
/// Form of 2026 with the virtual channel.
inline void noc_semaphore_set_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                        uint32_t num_dests, bool linked, uint8_t noc, uint8_t vc) {
  WAYPOINT("NSNW");
  ncrisc_noc_fast_write_any_len(noc, write_reg_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast,
                                4, vc, true, linked, num_dests);
  WAYPOINT("NSND");
}
inline void noc_semaphore_set_multicast_loopback_src(uint32_t src_local_l1_addr,
                                                     uint64_t dst_noc_addr_multicast,
                                                     uint32_t num_dests, bool linked = false,
                                                     uint8_t noc = noc_index) {
  WAYPOINT("NSLW");
  ncrisc_noc_fast_write_any_len(noc, write_reg_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast,
                                4, NOC_MULTICAST_WRITE_VC, true, linked, num_dests, true, false, 0,
                                true);
  WAYPOINT("NSLD");
}
template <PathReserve Reserve>
inline void noc_semaphore_set_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                        uint32_t num_dests, bool linked, Reserve,
                                        uint8_t noc = noc_index) {
  noc_semaphore_set_multicast(src_local_l1_addr, dst_noc_addr_multicast, num_dests, linked, noc);
}
template <PathReserve Reserve>
inline void noc_semaphore_set_multicast_loopback_src(uint32_t src_local_l1_addr,
                                                     uint64_t dst_noc_addr_multicast,
                                                     uint32_t num_dests, bool linked, Reserve,
                                                     uint8_t noc = noc_index) {
  noc_semaphore_set_multicast_loopback_src(src_local_l1_addr, dst_noc_addr_multicast, num_dests,
                                           linked, noc);
}
