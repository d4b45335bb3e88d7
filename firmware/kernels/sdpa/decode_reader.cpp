// Reader of the flash decode (NCRISC): queries and keys from DRAM.

#include "firmware/kernels/sdpa/decode_reading.h"

void kernel_main() {
  using namespace tvp::kernels::sdpa;
  constexpr uint32_t kTiles = get_compile_time_arg_val(kDecodeHeadTiles);
  constexpr uint32_t kKeyTiles = get_compile_time_arg_val(kDecodeKeyTiles);
  constexpr auto kAccess = TensorAccessorArgs<kDecodeCompileArgs>();
  const uint32_t stamps = get_arg_val<uint32_t>(kDecodeReaderStamps);
  const uint32_t worker = get_arg_val<uint32_t>(kDecodeWorker);

  stamp(stamps, kDecodeStarted);
  cb_push_back(kOnes, 1);  // the host has written it
  read_tensor<kTiles, 1>(kQueries, get_arg_val<uint32_t>(kDecodeQueries), kAccess, worker);
  read_tensor<kTiles, kKeyTiles>(kKeys, get_arg_val<uint32_t>(kDecodeKeys), kAccess, worker);
  stamp(stamps, kDecodeKeysRead);
}
