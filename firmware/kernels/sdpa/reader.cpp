// Reader of the SDPA reduction (NCRISC): pushes operands to the compute kernel as they arrive. It
// copies nothing: the circular buffers lie on the input shard, on the MeshBuffers that the
// partners write, and on the results of earlier rounds.

#include "firmware/kernels/sdpa/data_movement.h"

namespace {

using namespace tvp::kernels::sdpa;

constexpr uint32_t kTiles = get_compile_time_arg_val(kArgTiles);
constexpr uint32_t kRounds = rounds_of(get_compile_time_arg_val(kArgDevices));
constexpr uint32_t kPackets = packets_of(kTiles);

/// Rounds from kRound on.
template <uint32_t kRound>
FORCE_INLINE void later_rounds(uint32_t stamps) {
  if constexpr (kRound <= kRounds) {
    const auto arg = [](LaterReaderArg index) __attribute__((always_inline)) {
      return get_arg_val<uint32_t>(static_cast<int>(later_reader_arg(kRound, index)));
    };
    auto* arrived = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(arg(kLaterSemaphore));
    cb_push_back(static_cast<int32_t>(arg(kLaterLocal)), kTiles + kStatisticsTiles);
    noc_semaphore_wait(arrived, kPackets);
    stamp(stamps, later_stamp(kRound, kLaterArrived));
    cb_push_back(static_cast<int32_t>(arg(kLaterNeighbor)), kTiles + kStatisticsTiles);
    wait_result<kTiles, kRound>();
    stamp(stamps, later_stamp(kRound, kLaterComputed));
    noc_semaphore_set(arrived, 0);
    later_rounds<kRound + 1>(stamps);
  }
}

}  // namespace

void kernel_main() {
  auto* round1 =
      reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(kReaderRound1Semaphore));
  auto* round2 =
      reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(kReaderRound2Semaphore));
  const uint32_t stamps = get_arg_val<uint32_t>(kReaderStamps);

  stamp(stamps, kReaderStart);
  push_partial<kTiles>(get_arg_val<uint32_t>(kReaderLocal1));
  noc_semaphore_wait(round1, kPackets);
  stamp(stamps, kRound1Arrived);
  push_partial<kTiles>(get_arg_val<uint32_t>(kReaderNeighbor1));

  cb_wait_front(kResult1Sum, 1);
  stamp(stamps, kRound1Statistics);
  wait_partial<kTiles>(kResult1Numerator);
  stamp(stamps, kRound1Computed);
  if constexpr (kRounds > 1) {
    push_partial<kTiles>(get_arg_val<uint32_t>(kReaderLocal2));
    noc_semaphore_wait(round2, kPackets);
    stamp(stamps, kRound2Arrived);
    push_partial<kTiles>(get_arg_val<uint32_t>(kReaderNeighbor2));

    wait_result<kTiles, 2>();
    stamp(stamps, kRound2Computed);
    later_rounds<3>(stamps);
  }
  cb_wait_front(kOutput, kTiles);
  stamp(stamps, kNormalized);
  noc_semaphore_set(round1, 0);
  if constexpr (kRounds > 1) noc_semaphore_set(round2, 0);
}
