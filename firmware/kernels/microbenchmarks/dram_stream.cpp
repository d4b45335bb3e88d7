// Reads one bank of DRAM page by page into a ring of blocks in L1. Each block has its own
// transaction id. The next block is in flight while the kernel waits for the oldest.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr uint32_t kTensor = get_compile_time_arg_val(0);
constexpr uint32_t kRing = get_compile_time_arg_val(1);
constexpr uint32_t kRingBlocks = get_compile_time_arg_val(2);
constexpr uint32_t kBlocks = get_compile_time_arg_val(3);
constexpr uint32_t kPagesPerBlock = get_compile_time_arg_val(4);
constexpr uint32_t kPageBytes = get_compile_time_arg_val(5);

}  // namespace

void kernel_main() {
  const uint32_t bank = get_arg_val<uint32_t>(0);
  const uint32_t vc = get_arg_val<uint32_t>(1);
  const uint64_t source = get_noc_addr_from_bank_id<true>(bank, kTensor);
  noc_async_read_one_packet_set_state<true>(source, kPageBytes, vc);
  const auto base = static_cast<uint32_t>(source);

  DeviceZoneScopedN("transfer");
  uint32_t offset = 0;
  for (uint32_t block = 0; block < kBlocks; ++block) {
    const uint32_t slot = block % kRingBlocks;
    const uint32_t trid = slot + 1;
    uint32_t destination = kRing + slot * kPagesPerBlock * kPageBytes;
    noc_async_read_set_trid(trid);
    for (uint32_t page = 0; page < kPagesPerBlock; ++page) {
      noc_async_read_one_packet_with_state_with_trid(base, offset, destination, trid);
      offset += kPageBytes;
      destination += kPageBytes;
    }
    if (block > 0) noc_async_read_barrier_with_trid((block - 1) % kRingBlocks + 1);
  }
  noc_async_read_barrier_with_trid((kBlocks - 1) % kRingBlocks + 1);
  noc_async_read_set_trid(0);
}
