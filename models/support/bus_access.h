#pragma once

#include <tlm>

#include "models/support/time.h"
#include "models/support/watch.h"

namespace tvp::support {

/// A master of the tile's bus. The values of the five Tensix cores follow the order of the bits in
/// tt-metal's processor masks (DM0, DM1, MATH0..2).
enum class BusMaster : std::uint8_t {
  kB,
  kNc,
  kT0,
  kT1,
  kT2,  ///< Tensix RISC-V cores
  kE,   ///< RISC-V core of an ethernet tile
  kNoc0,
  kNoc1,   ///< NIUs that act for a remote request
  kThcon,  ///< the scalar unit
  kMover,
  kUnpacker0,
  kUnpacker1,
  kPacker0,
  kPacker1,
  kPacker2,
  kPacker3,
  kEthernetRx,
  kEthernetTx,
  kDebug,  ///< host and debuggers, without time
  // Masters of memories outside Tensix and ethernet tiles.
  kPimDma,   ///< DMA engine between a PIM unit's bank and WRAM
  kPimStop,  ///< a PIM unit's stop on the network
  kHost,     ///< through the pins of a memory, in simulated time
};

/// Extension of every generic payload inside a tile.
///
/// Timing: `now` is the cycle of the access. The target writes `latency`. For a load these are the
/// cycles until the value can be used, for a store the cycles until the bus accepts this master's
/// next store. The target also adds it to the annotated delay of b_transport.
///
/// Blocking: a target that cannot serve now (empty mailbox, full FIFO) sets `blocked` and changes
/// nothing. The response stays TLM_INCOMPLETE_RESPONSE. The initiator retries one cycle after a
/// change of `watch`.
struct BusAccess : tlm::tlm_extension<BusAccess> {
  Cycle now = 0;
  std::uint32_t latency = 0;
  BusMaster master = BusMaster::kDebug;
  std::uint8_t order = 0;  ///< tie order of the initiating agent
  bool blocked = false;
  /// Set by the target of a write: `latency` may still grow until it ends. The initiator then asks
  /// for the rest with an access that is ignored (TLM_IGNORE_COMMAND).
  bool provisional = false;
  /// Set by the target of a read: the group of locations on which the value depends. It is kNone if
  /// the read has a side effect or the value changes without notice (wall clock).
  Watch watch = Watch::kNone;

  tlm::tlm_extension_base* clone() const override { return new BusAccess(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const BusAccess&>(other);
  }
};

}  // namespace tvp::support
