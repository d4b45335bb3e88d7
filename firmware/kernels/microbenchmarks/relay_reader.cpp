// Reads one bank of DRAM block by block into a circular buffer of three blocks with a transaction
// id each. Two blocks are in flight while the kernel waits for the oldest.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr uint32_t kTensor = get_compile_time_arg_val(0);
constexpr uint32_t kBlocks = get_compile_time_arg_val(1);
constexpr uint32_t kPages = get_compile_time_arg_val(2);
constexpr uint32_t kPageBytes = get_compile_time_arg_val(3);
constexpr uint32_t kPlaces = get_compile_time_arg_val(4);
constexpr uint32_t kBuffer = 0;

constexpr uint32_t next(uint32_t id) { return id == kPlaces ? 1 : id + 1; }

}  // namespace

void kernel_main() {
  DeviceZoneScopedN("reader");
  const uint32_t bank = get_arg_val<uint32_t>(0);
  const uint32_t vc = get_arg_val<uint32_t>(1);
  const uint64_t source = get_noc_addr_from_bank_id<true>(bank, kTensor);
  const auto base = static_cast<uint32_t>(source);
  noc_async_read_one_packet_set_state<true>(source, kPageBytes, vc);
  const uint32_t ring = get_write_ptr(kBuffer);
  uint32_t offset = 0;
  uint32_t id = 1;
  uint32_t oldest = 1;
  const auto await_oldest = [&] {
    noc_async_read_barrier_with_trid(oldest);
    cb_push_back(kBuffer, 1);
    oldest = next(oldest);
  };
  for (uint32_t block = 0; block < kBlocks; ++block) {
    // Places in use: one or two blocks in flight, and this one.
    cb_reserve_back(kBuffer, block < kPlaces - 1 ? block + 1 : kPlaces - 1);
    noc_async_read_set_trid(id);
    uint32_t to = ring + (id - 1) * kPages * kPageBytes;
    for (uint32_t page = 0; page < kPages; ++page, offset += kPageBytes, to += kPageBytes)
      noc_async_read_one_packet_with_state_with_trid(base, offset, to, id);
    id = next(id);
    if (block + 2 >= kPlaces) await_oldest();
  }
  while (oldest != id) await_oldest();
  noc_async_read_set_trid(0);
}
