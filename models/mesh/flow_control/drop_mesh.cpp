#include "models/mesh/flow_control/drop_mesh.h"

#include <algorithm>
#include <bit>

namespace tvp::mesh {

using support::Cycle;

namespace {
/// Exponential backoff: after this many drops a packet waits up to twice this power of two of
/// cycles. Two packets in conflict thus separate.
constexpr unsigned kMaxBackoffBits = 6;
}  // namespace

void DropMesh::drop_rest(Cycle now) {
  for (unsigned bits = outputs_.dropped; bits != 0; bits &= bits - 1) {
    drop(outputs_.dropped_flit[static_cast<unsigned>(std::countr_zero(bits))], now);
  }
}

/// The last flit of a packet triggers the retry at the source, so that the retry cannot overtake
/// this attempt.
void DropMesh::drop(const Flit& flit, Cycle now) {
  if (flit.head) count_blocked();
  discard(flit);
  if (!flit.tail) return;
  const MeshPacket& dropped = packet(flit.packet).packet;
  const unsigned bits = std::min<unsigned>(dropped.retries, kMaxBackoffBits);
  // The source number replaces the random number of the hardware.
  const Cycle backoff = dropped.source % (2U << bits);
  send_again(flit.packet, now + 1 + dropped.routers + backoff);
}

}  // namespace tvp::mesh
