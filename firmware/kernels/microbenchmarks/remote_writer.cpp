// Forwards blocks of a circular buffer to the receivers of a global one, to each its columns of
// every row.

#include "api/dataflow/dataflow_api.h"
#include "api/remote_circular_buffer.h"
#include "firmware/kernels/microbenchmarks/remote_layers.h"

namespace {

constexpr uint32_t kNoc = get_compile_time_arg_val(0);
constexpr uint32_t kReceivers = get_compile_time_arg_val(1);
constexpr uint32_t kLayers = get_compile_time_arg_val(2);
constexpr uint32_t kRemote = get_compile_time_arg_val(3);
constexpr uint32_t kBuffer = 0;
enum Array : uint32_t { kPacketBytes, kPackets, kBlocks, kTiles, kTileBytes, kRows };

}  // namespace

void kernel_main() {
  // After the receivers' coordinates, which the global buffer knows.
  const tvp::kernels::RemoteLayers<kLayers> of(2 * kReceivers);
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    const uint32_t tiles = of(kTiles, layer);
    experimental::resize_remote_sender_cb_interface<true>(
        kRemote, tiles / kReceivers * of(kTileBytes, layer), kNoc);
    for (uint32_t block = 0; block < of(kBlocks, layer); ++block) {
      cb_wait_front(kBuffer, tiles);
      experimental::remote_cb_reserve_back(kRemote, 1);
      experimental::remote_cb_push_back_and_write_pages(kRemote, get_read_ptr(kBuffer), 1,
                                                        of(kRows, layer), of(kPackets, layer),
                                                        of(kPacketBytes, layer), kNoc);
      noc_async_posted_writes_flushed(kNoc);
      cb_pop_front(kBuffer, tiles);
    }
  }
  experimental::update_remote_cb_config_in_l1(kRemote);
}
