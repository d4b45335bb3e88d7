// Reader of the SDPA reduction (NCRISC): pushes operands to the compute kernel as they arrive. It
// copies nothing: the circular buffers lie on the input shard, on the MeshBuffers that the
// neighbors write, and on the result of round 1.

#include "firmware/kernels/sdpa/data_movement.h"

void kernel_main() {
  using namespace tvp::kernels::sdpa;
  constexpr uint32_t kTiles = get_compile_time_arg_val(kArgTiles);
  auto* round1 =
      reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(kReaderRound1Semaphore));
  auto* round2 =
      reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(kReaderRound2Semaphore));
  const uint32_t stamps = get_arg_val<uint32_t>(kReaderStamps);

  stamp(stamps, kReaderStart);
  push_partial<kTiles>(get_arg_val<uint32_t>(kReaderLocal1));
  noc_semaphore_wait(round1, 1);
  stamp(stamps, kRound1Arrived);
  push_partial<kTiles>(get_arg_val<uint32_t>(kReaderNeighbor1));

  cb_wait_front(kResult1Sum, 1);
  stamp(stamps, kRound1Statistics);
  wait_partial<kTiles>(kResult1Numerator);
  stamp(stamps, kRound1Computed);
  push_partial<kTiles>(get_arg_val<uint32_t>(kReaderLocal2));
  noc_semaphore_wait(round2, 1);
  stamp(stamps, kRound2Arrived);
  push_partial<kTiles>(get_arg_val<uint32_t>(kReaderNeighbor2));

  wait_partial<kTiles>(kResult2Numerator);
  stamp(stamps, kRound2Computed);
  cb_wait_front(kOutput, kTiles);
  stamp(stamps, kNormalized);
  noc_semaphore_set(round1, 0);
  noc_semaphore_set(round2, 0);
}
