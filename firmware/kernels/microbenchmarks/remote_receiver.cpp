// Takes blocks out of a global circular buffer and frees them immediately.

#include "api/dataflow/dataflow_api.h"
#include "api/remote_circular_buffer.h"
#include "firmware/kernels/microbenchmarks/remote_layers.h"

namespace {

constexpr uint32_t kLayers = get_compile_time_arg_val(0);
constexpr uint32_t kRemote = get_compile_time_arg_val(1);
enum Array : uint32_t { kTileBytes, kBlocks, kTiles };

}  // namespace

void kernel_main() {
  const tvp::kernels::RemoteLayers<kLayers> of(4);
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    experimental::resize_remote_receiver_cb_interface<true>(
        kRemote, of(kTiles, layer) * of(kTileBytes, layer), noc_index);
    for (uint32_t block = 0; block < of(kBlocks, layer); ++block) {
      experimental::remote_cb_wait_front(kRemote, 1);
      experimental::remote_cb_pop_front(kRemote, 1);
    }
  }
  experimental::update_remote_cb_config_in_l1(kRemote);
  noc_async_atomic_barrier();
}
