#pragma once
// Counts of the transactions that the data-movement cores have issued. Barriers compare them with
// the NIU's counters (kernel_api 1.0). In dedicated mode, a core has a NoC for itself and counts in
// local memory. In dynamic mode, both cores use both NoCs and count in L1; barriers compare the
// sum.

#include <stdint.h>

#include "foundation/contract/memory_map.h"
#include "internal/firmware_globals.h"

constexpr uint8_t DM_DEDICATED_NOC = 0;
constexpr uint8_t DM_DYNAMIC_NOC = 1;
#if defined(NOC_MODE)
constexpr uint8_t noc_mode = NOC_MODE;
#else
constexpr uint8_t noc_mode = DM_DEDICATED_NOC;
#endif

/// Order of the counters in L1.
enum class NocBarrierType : uint32_t {
  READS_NUM_ISSUED,
  NONPOSTED_WRITES_NUM_ISSUED,
  NONPOSTED_WRITES_ACKED,
  NONPOSTED_ATOMICS_ACKED,
  POSTED_WRITES_NUM_ISSUED,
  COUNT,
};

namespace tvp::noc {

/// In dynamic mode a transaction is counted before it is issued, because the other core may wait at
/// a barrier and must never see the NIU ahead. In dedicated mode it is counted afterwards, where
/// the count costs no time.
constexpr bool kDynamic = noc_mode == DM_DYNAMIC_NOC;
#if defined(COMPILE_FOR_NCRISC)
constexpr uint32_t kCore = 1;
#else
constexpr uint32_t kCore = 0;
#endif

/// Counter of a core in dynamic mode.
FORCE_INLINE volatile uint32_t* shared_counter(uint32_t noc, uint32_t core, NocBarrierType type) {
  constexpr auto kTypes = static_cast<uint32_t>(NocBarrierType::COUNT);
  static_assert(NUM_NOCS * 2 * kTypes * 4 == contract::kNocCounterSize);
  return reinterpret_cast<volatile uint32_t*>(contract::kNocCounterBase) +
         (noc * 2 + core) * kTypes + static_cast<uint32_t>(type);
}

template <NocBarrierType type>
FORCE_INLINE uint32_t& own_counter(uint32_t noc) {
  if constexpr (type == NocBarrierType::READS_NUM_ISSUED) return noc_reads_num_issued[noc];
  if constexpr (type == NocBarrierType::NONPOSTED_WRITES_NUM_ISSUED)
    return noc_nonposted_writes_num_issued[noc];
  if constexpr (type == NocBarrierType::NONPOSTED_WRITES_ACKED)
    return noc_nonposted_writes_acked[noc];
  if constexpr (type == NocBarrierType::NONPOSTED_ATOMICS_ACKED)
    return noc_nonposted_atomics_acked[noc];
  return noc_posted_writes_num_issued[noc];
}

template <NocBarrierType type>
FORCE_INLINE void count(uint32_t noc, uint32_t amount) {
  if constexpr (kDynamic) {
    volatile uint32_t* counter = shared_counter(noc, kCore, type);
    *counter = *counter + amount;
  } else {
    own_counter<type>(noc) += amount;
  }
}
/// The NIU's count after all transactions have completed.
template <NocBarrierType type>
FORCE_INLINE uint32_t counted(uint32_t noc) {
  if constexpr (kDynamic) {
    return *shared_counter(noc, 0, type) + *shared_counter(noc, 1, type);
  } else {
    return own_counter<type>(noc);
  }
}

}  // namespace tvp::noc

// For kernels that issue transactions by registers and count them themselves.
#if defined(PROCESSOR_INDEX)
constexpr uint8_t proc_type = PROCESSOR_INDEX;
#else
constexpr uint8_t proc_type = 0;
#endif
template <uint8_t, NocBarrierType type>
FORCE_INLINE void inc_noc_counter_val(uint32_t noc, uint32_t amount = 1) {
  tvp::noc::count<type>(noc, amount);
}
