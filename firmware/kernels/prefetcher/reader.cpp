// Sender: reads blocks of all tensors of all layers from this core's bank of DRAM into a ring of
// three, with one transaction id each. The next block is in flight while the kernel waits for the
// oldest, also across tensors.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/prefetcher/gate.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kSkips = get_compile_time_arg_val(kSkipCounters) != 0;
constexpr bool kPauses = get_compile_time_arg_val(kPausable) != 0;

uint32_t no_room = 0;
uint32_t no_data = 0;
[[maybe_unused]] uint32_t paused = 0;
[[maybe_unused]] PrefetcherGate gate;

}  // namespace

void kernel_main() {
  volatile uint32_t* stats = stats_at(get_arg_val<uint32_t>(kSenderStats));
  stats[kReaderBegin] = c_tensix_core::read_wall_clock_l();
  const uint32_t bank = get_arg_val<uint32_t>(kBank);
  const uint32_t channel = get_arg_val<uint32_t>(kChannel);
  const auto* addresses =
      reinterpret_cast<const volatile uint32_t*>(get_arg_val<uint32_t>(kAddresses));
  const uint32_t ring = get_write_ptr(kBlocks);
  const uint32_t slot_bytes = get_local_cb_interface(kBlocks).fifo_page_size;
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  const uint32_t blocks = common(kRingSize);

  const uint32_t places = common(kPlaces);

  uint32_t id = 1;
  uint32_t oldest = 1;
  uint32_t under_way = 0;
  const auto await_oldest = [&] {
    timed(no_data, [&] { noc_async_read_barrier_with_trid(oldest); });
    cb_push_back(kBlocks, 1);
    oldest = oldest == places ? 1 : oldest + 1;
    --under_way;
  };
  if constexpr (kPauses) gate.begin(get_arg_val<uint32_t>(kControl), PrefetcherGate::End::kReader);
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor) {
      const TensorShape shape(tensor);
      const uint32_t page = shape[kPageBytes];
      const uint32_t pages = shape[kPages];
      const uint64_t source = get_noc_addr_from_bank_id<true>(bank, *addresses++);
      const auto base = static_cast<uint32_t>(source);
      noc_async_read_one_packet_set_state<true>(source, page, channel);
      uint32_t offset = 0;
      for (uint32_t block = 0; block < blocks; ++block) {
        if constexpr (kPauses) {
          const auto await_all = [&] {
            while (under_way != 0) await_oldest();
          };
          wait_while_paused(gate, paused, await_all);
          const auto has_room = [&] { return cb_pages_reservable_at_back(kBlocks, under_way + 1); };
          wait_with_pauses(gate, no_room, paused, has_room, await_all);
        } else {
          timed(no_room, [&] { cb_reserve_back(kBlocks, under_way + 1); });
        }
        noc_async_read_set_trid(id);
        uint32_t to = ring + (id - 1) * slot_bytes;
        for (uint32_t i = 0; i < pages; ++i, offset += page, to += page)
          noc_async_read_one_packet_with_state_with_trid<kSkips>(base, offset, to, id);
        id = id == places ? 1 : id + 1;
        if (++under_way + 1 == places) await_oldest();
      }
    }
  }
  while (under_way != 0) await_oldest();
  noc_async_read_set_trid(0);
  stats[kReaderNoRoom] = no_room;
  stats[kReaderNoData] = no_data;
  if constexpr (kPauses) {
    stats[kReaderPaused] = paused;
    gate.end();
  }
  stats[kReaderEnd] = c_tensix_core::read_wall_clock_l();
}
