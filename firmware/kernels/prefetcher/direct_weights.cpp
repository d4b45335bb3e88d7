// A core of the ring without a prefetcher. It reads its columns of each block from DRAM in the
// order of their use, one block ahead.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

void kernel_main() {
  volatile uint32_t* arrived = stats_at(get_arg_val<uint32_t>(kReceiverStats)) + kTensorStats;
  const uint32_t ring_index = get_arg_val<uint32_t>(kRingIndex);
  const uint32_t place = get_arg_val<uint32_t>(kPlaceInRow);
  const uint32_t bank = get_arg_val<uint32_t>(kWeightsBank);
  const uint32_t channel = get_arg_val<uint32_t>(kWeightsChannel);
  const auto* addresses =
      reinterpret_cast<const volatile uint32_t*>(get_arg_val<uint32_t>(kWeightsAddresses));
  const uint32_t memory = get_arg_val<uint32_t>(kWeightsMemory);
  const uint32_t half = get_arg_val<uint32_t>(kWeightsHalf);
  const uint32_t blocks = common(kRingSize);
  const uint32_t receivers = common(kReceivers);
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);

  uint32_t taken = 0;
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor, arrived += 2) {
      const TensorShape shape(tensor);
      const uint32_t packet = shape[kPacketBytes];
      const uint32_t packets = shape[kPackets];
      const uint32_t rows = shape[kBlockRows];
      const uint32_t part = packet * packets;
      const uint64_t source = get_noc_addr_from_bank_id<true>(bank, *addresses++);
      noc_async_read_one_packet_set_state<true>(source, packet, channel);
      for (uint32_t step = 0; step < blocks; ++step, ++taken) {
        uint32_t block = ring_index + step;
        if (block >= blocks) block -= blocks;
        uint32_t from = static_cast<uint32_t>(source) + (block * rows * receivers + place) * part;
        cb_reserve_back(kReady, 1);
        uint32_t to = memory + (taken & 1) * half;
        for (uint32_t row = 0; row < rows; ++row, from += receivers * part) {
          for (uint32_t i = 0; i < packets; ++i, to += packet)
            noc_async_read_one_packet_with_state<true, true>(from + i * packet, to, channel);
        }
        noc_async_read_barrier();
        if (step == 0) arrived[0] = c_tensix_core::read_wall_clock_l();
        cb_push_back(kReady, 1);
      }
      arrived[1] = c_tensix_core::read_wall_clock_l();
    }
  }
}
