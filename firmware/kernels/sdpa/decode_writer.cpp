// Writer of the flash decode (BRISC): reads values from DRAM, and leaves the partial result where
// the reduction has its input.

#include "firmware/kernels/sdpa/decode_reading.h"

namespace {

using namespace tvp::kernels::sdpa;

constexpr uint32_t kTiles = get_compile_time_arg_val(kDecodeHeadTiles);
constexpr uint32_t kKeyTiles = get_compile_time_arg_val(kDecodeKeyTiles);
constexpr uint32_t kChunks = (kKeyTiles - 1) / chunk_rows(kTiles) + 1;
/// Place of the last total in its buffers.
constexpr uint32_t kLastTotal = (kChunks - 1) % kTotals;

/// Copies the first eight rows of tiles of 32 x 32 to tiles of 8 x 32.
FORCE_INLINE uint32_t copy_rows(uint32_t cb, uint32_t tiles, uint32_t to) {
  constexpr uint32_t kFace = 512;
  constexpr uint32_t kRows = kTileBytes / 2;
  uint32_t from = get_read_ptr(cb) + kLastTotal * tiles * 4 * kFace;
  for (uint32_t tile = 0; tile < tiles; ++tile, from += 4 * kFace) {
    for (uint32_t face = 0; face < 2; ++face, to += kRows)
      noc_async_read(get_noc_addr(from + face * kFace), to, kRows);
  }
  return to;
}

}  // namespace

void kernel_main() {
  constexpr auto kAccess = TensorAccessorArgs<kDecodeCompileArgs>();
  const uint32_t stamps = get_arg_val<uint32_t>(kDecodeWriterStamps);
  const uint32_t worker = get_arg_val<uint32_t>(kDecodeWriterWorker);
  read_tensor<kTiles, kKeyTiles>(kValues, get_arg_val<uint32_t>(kDecodeValues), kAccess, worker);
  stamp(stamps, kDecodeValuesRead);

  cb_wait_front(kTotalDone, 1);
  stamp(stamps, kDecodeComputed);
  uint32_t to = get_arg_val<uint32_t>(kDecodePartial);
  to = copy_rows(kTotalNumerator, kTiles, to);
  to = copy_rows(kTotalSum, 1, to);
  copy_rows(kTotalMax, 1, to);
  noc_async_read_barrier();
  stamp(stamps, kDecodeWritten);
}
