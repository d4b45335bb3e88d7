// Moves rows of a device between a buffer of whole rows and a buffer of pieces of rows, for
// ccl::reshard. Page p * rows + r of the pieces is piece p of row r.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr bool kCuts = get_compile_time_arg_val(0) != 0;  // rows to pieces, or pieces to rows
  constexpr uint32_t kPieces = get_compile_time_arg_val(1);
  constexpr uint32_t kPieceBytes = get_compile_time_arg_val(2);
  constexpr auto kRowArgs = TensorAccessorArgs<3>();
  constexpr auto kPieceArgs = TensorAccessorArgs<kRowArgs.next_compile_time_args_offset()>();
  const auto row_pages = TensorAccessor(kRowArgs, get_arg_val<uint32_t>(0), kPieces * kPieceBytes);
  const auto piece_pages = TensorAccessor(kPieceArgs, get_arg_val<uint32_t>(1), kPieceBytes);
  const uint32_t rows = get_arg_val<uint32_t>(2);
  const uint32_t first = get_arg_val<uint32_t>(3);
  const uint32_t end = first + get_arg_val<uint32_t>(4);

  const uint32_t memory = get_write_ptr(0);
  for (uint32_t row = first; row < end; ++row) {
    if constexpr (kCuts) {
      noc_async_read_page(row, row_pages, memory);
      noc_async_read_barrier();
      for (uint32_t piece = 0; piece < kPieces; ++piece)
        noc_async_write_page(piece * rows + row, piece_pages, memory + piece * kPieceBytes);
    } else {
      for (uint32_t piece = 0; piece < kPieces; ++piece)
        noc_async_read_page(piece * rows + row, piece_pages, memory + piece * kPieceBytes);
      noc_async_read_barrier();
      noc_async_write_page(row, row_pages, memory);
    }
    noc_async_writes_flushed();
  }
  noc_async_write_barrier();
}
