// Forwards each block of the circular buffer to two cores: the left half of every row of pages to
// the first, the right half to the second. All blocks go to the same place.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr uint32_t kTarget = get_compile_time_arg_val(0);
constexpr uint32_t kBlocks = get_compile_time_arg_val(1);
constexpr uint32_t kRows = get_compile_time_arg_val(2);
constexpr uint32_t kPagesOfHalfRow = get_compile_time_arg_val(3);
constexpr uint32_t kPageBytes = get_compile_time_arg_val(4);
constexpr uint32_t kBuffer = 0;
constexpr uint32_t kHalfRowBytes = kPagesOfHalfRow * kPageBytes;

void write_half(uint32_t from, uint64_t to, uint32_t vc) {
  noc_async_write_one_packet_set_state(to, kPageBytes, noc_index, vc);
  for (uint32_t row = 0; row < kRows; ++row, from += kHalfRowBytes) {
    for (uint32_t page = 0; page < kPagesOfHalfRow; ++page, from += kPageBytes, to += kPageBytes)
      noc_async_write_one_packet_with_state(from, to);
  }
}

}  // namespace

void kernel_main() {
  DeviceZoneScopedN("writer");
  const uint32_t vc = get_arg_val<uint32_t>(0);
  const uint64_t first = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), kTarget);
  const uint64_t second = get_noc_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), kTarget);
  for (uint32_t block = 0; block < kBlocks; ++block) {
    cb_wait_front(kBuffer, 1);
    const uint32_t from = get_read_ptr(kBuffer);
    write_half(from, first, vc);
    write_half(from + kHalfRowBytes, second, vc);
    noc_async_write_barrier();
    cb_pop_front(kBuffer, 1);
  }
}
