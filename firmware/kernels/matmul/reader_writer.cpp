// Reads blocks of the second operand, then writes the output. Runtime arguments: their addresses in
// DRAM.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/matmul/arguments.h"

void kernel_main() {
  using namespace tvp::kernels::matmul;
  constexpr uint32_t kHeight = get_compile_time_arg_val(kSubblockRows);
  constexpr uint32_t kWidth = get_compile_time_arg_val(kSubblockColumns);
  constexpr uint32_t kDown = get_compile_time_arg_val(kRowSubblocks);
  constexpr uint32_t kAcross = get_compile_time_arg_val(kColumnSubblocks);
  constexpr uint32_t kColumns = kAcross * kWidth;
  constexpr uint32_t kInner = get_compile_time_arg_val(kBlockTiles);
  constexpr uint32_t kCount = get_compile_time_arg_val(kBlocks);
  constexpr bool kIsResident = get_compile_time_arg_val(kResident) != 0;

  const uint32_t page_bytes = get_tile_size(kIn1);
  const auto operand = TensorAccessor(TensorAccessorArgs<kFirstAccessorArgument>(),
                                      get_arg_val<uint32_t>(0), page_bytes);
  for (uint32_t block = 0; block < kCount; ++block) {
    cb_reserve_back(kIn1, kInner * kColumns);
    if constexpr (!kIsResident) {
      uint32_t to = get_write_ptr(kIn1);
      const uint32_t first = block * kInner * kColumns;
      for (uint32_t page = 0; page < kInner * kColumns; ++page, to += page_bytes)
        noc_async_read_page(first + page, operand, to);
      noc_async_read_barrier();
    }
    cb_push_back(kIn1, kInner * kColumns);
  }
  if constexpr (kIsResident) return;

  const uint32_t out_bytes = get_tile_size(kOut);
  const auto output = TensorAccessor(TensorAccessorArgs<kFirstAccessorArgument>(),
                                     get_arg_val<uint32_t>(1), out_bytes);
  for (uint32_t down = 0; down < kDown; ++down) {
    for (uint32_t across = 0; across < kAcross; ++across) {
      cb_wait_front(kOut, kHeight * kWidth);
      uint32_t from = get_read_ptr(kOut);
      for (uint32_t row = 0; row < kHeight; ++row) {
        const uint32_t first = (down * kHeight + row) * kColumns + across * kWidth;
        for (uint32_t column = 0; column < kWidth; ++column, from += out_bytes)
          noc_async_write_page(first + column, output, from);
      }
      noc_async_writes_flushed();
      cb_pop_front(kOut, kHeight * kWidth);
    }
  }
  noc_async_write_barrier();
}
