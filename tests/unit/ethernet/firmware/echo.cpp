// A round trip over a link between two cores, as in tt-metal's test_all_ethernet_links: a message
// with a flag behind its payload, answered by a message of the same size. Arguments: 1 to begin and
// 0 to answer; bytes of payload; number of round trips.

#include "dataflow/dataflow_api.h"
#include "ethernet/dataflow_api.h"
#include "tests/unit/ethernet/firmware/bare_map.h"

namespace {
constexpr uint32_t kBuffer = 0x20000;
constexpr uint32_t kFlagBytes = 16;
}  // namespace

void kernel_main() {
  const bool begins = get_arg_val<uint32_t>(0) != 0;
  const uint32_t bytes = get_arg_val<uint32_t>(1);
  const uint32_t rounds = get_arg_val<uint32_t>(2);
  auto* flag = reinterpret_cast<volatile uint32_t*>(kBuffer + bytes);
  auto* results = reinterpret_cast<volatile uint32_t*>(tvp::bare::kResults);
  for (uint32_t i = 0; i < rounds; ++i) {
    if (begins) {
      const uint32_t start = get_timestamp_32b();
      *flag = 1;
      eth_send_bytes_over_channel_payload_only_unsafe_one_packet(kBuffer, kBuffer,
                                                                 bytes + kFlagBytes);
      while (*flag != 0) {
      }
      results[i] = get_timestamp_32b() - start;
    } else {
      while (*flag == 0) {
      }
      *flag = 0;
      eth_send_bytes_over_channel_payload_only_unsafe_one_packet(kBuffer, kBuffer,
                                                                 bytes + kFlagBytes);
    }
  }
}
