// Reads blocks of the first operand. Runtime argument: its address in DRAM.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/matmul/arguments.h"

void kernel_main() {
  using namespace tvp::kernels::matmul;
  constexpr uint32_t kRows =
      get_compile_time_arg_val(kRowSubblocks) * get_compile_time_arg_val(kSubblockRows);
  constexpr uint32_t kWidth = get_compile_time_arg_val(kBlockTiles);
  constexpr uint32_t kCount = get_compile_time_arg_val(kBlocks);
  constexpr bool kIsResident = get_compile_time_arg_val(kResident) != 0;

  const uint32_t page_bytes = get_tile_size(kIn0);
  const auto operand = TensorAccessor(TensorAccessorArgs<kFirstAccessorArgument>(),
                                      get_arg_val<uint32_t>(0), page_bytes);
  for (uint32_t block = 0; block < kCount; ++block) {
    cb_reserve_back(kIn0, kRows * kWidth);
    if constexpr (!kIsResident) {
      uint32_t to = get_write_ptr(kIn0);
      for (uint32_t row = 0; row < kRows; ++row) {
        for (uint32_t k = 0; k < kWidth; ++k, to += page_bytes)
          noc_async_read_page((row * kCount + block) * kWidth + k, operand, to);
      }
      noc_async_read_barrier();
    }
    cb_push_back(kIn0, kRows * kWidth);
  }
}
