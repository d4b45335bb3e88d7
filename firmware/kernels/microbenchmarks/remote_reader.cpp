// Reads one bank of DRAM, layer after layer and block by block, into a circular buffer. The next
// block is in flight, with its own transaction id, while the kernel waits for the oldest. Blocks of
// different layers differ in size. Each takes as many pages of the buffer as it has tiles.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/microbenchmarks/remote_layers.h"

namespace {

constexpr uint32_t kTensor = get_compile_time_arg_val(0);
constexpr uint32_t kLayers = get_compile_time_arg_val(3);
constexpr uint32_t kBuffer = 0;
constexpr uint32_t kIds = 3;
enum Array : uint32_t { kPageBytes, kPages, kBlocks, kTiles };

constexpr uint32_t next(uint32_t id) { return id == kIds ? 1 : id + 1; }

/// Address of a block that begins `tiles` after the buffer's first free page.
uint32_t place_behind(uint32_t tiles) {
  const LocalCBInterface& cb = get_local_cb_interface(kBuffer);
  const uint32_t to = cb.fifo_wr_ptr + tiles * cb.fifo_page_size;
  return to < cb.fifo_limit ? to : to - cb.fifo_size;
}

}  // namespace

void kernel_main() {
  const uint32_t bank = get_arg_val<uint32_t>(0);
  const uint32_t vc = get_arg_val<uint32_t>(1);
  const tvp::kernels::RemoteLayers<kLayers> of(2);
  const uint64_t source = get_noc_addr_from_bank_id<true>(bank, kTensor);
  const auto base = static_cast<uint32_t>(source);
  uint32_t offset = 0;
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    const uint32_t page_bytes = of(kPageBytes, layer);
    const uint32_t pages = of(kPages, layer);
    const uint32_t blocks = of(kBlocks, layer);
    const uint32_t tiles = of(kTiles, layer);
    noc_async_read_one_packet_set_state<true>(source, page_bytes, vc);
    uint32_t id = 1;
    uint32_t oldest = 1;
    const auto await_oldest = [&] {
      noc_async_read_barrier_with_trid(oldest);
      cb_push_back(kBuffer, tiles);
      oldest = next(oldest);
    };
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint32_t under_way = block == 0 ? 0 : tiles;
      cb_reserve_back(kBuffer, under_way + tiles);
      noc_async_read_set_trid(id);
      uint32_t to = place_behind(under_way);
      for (uint32_t page = 0; page < pages; ++page, offset += page_bytes, to += page_bytes)
        noc_async_read_one_packet_with_state_with_trid(base, offset, to, id);
      id = next(id);
      if (block != 0) await_oldest();
    }
    await_oldest();
  }
  noc_async_read_set_trid(0);
}
