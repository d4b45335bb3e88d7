#pragma once

#include <array>
#include <cstdint>

#include "foundation/regs/noc.h"
#include "models/noc/endpoint_type.h"
#include "models/support/bus_access.h"
#include "models/support/time.h"

namespace tvp::noc {

/// The registers of one request initiator, with accessors for their bits.
struct RequestInitiator {
  /// An address and the nodes at which it is.
  struct Place {
    std::uint32_t lo = 0;
    std::uint32_t upper = 0;   ///< address bits 63:32
    std::uint32_t to = 0;      ///< coordinates (regs::noc::to_unicast)
    std::uint32_t unused = 0;  ///< HI on Wormhole: stored, without effect
    /// The coordinates as software wrote them. A command translates them in place, once: tt-metal
    /// writes the coordinates of its own tile at the start only, and Blackhole's translated ones
    /// are also names of other tiles.
    std::uint32_t written = 0;
    bool is_translated = false;

    std::uint64_t address() const { return std::uint64_t{upper} << 32 | lo; }
    Node node() const { return end_of(to); }
    bool operator==(const Place&) const = default;
  };
  Place targ;
  Place ret;
  std::uint32_t tag = 0;
  std::uint32_t ctrl = 0;
  std::uint32_t at_len_be = 0;
  std::uint32_t at_len_be_1 = 0;          ///< byte enables of bytes 32 to 63 (Blackhole)
  std::array<std::uint32_t, 3> stored{};  ///< registers without effect (Blackhole)
  std::uint32_t at_data = 0;
  std::uint32_t busy = 0;       ///< CMD_CTRL
  bool through_tables = false;  ///< translation was on
  support::Cycle issued = 0;
  support::BusMaster by = support::BusMaster::kDebug;  ///< the core that stored to CMD_CTRL
  std::uint32_t pc = 0;                                ///< its pc at that store; 0: not known
  unsigned packets_left = 0;

  bool flag(std::uint32_t bit) const { return (ctrl & bit) != 0; }
  std::uint32_t type() const { return ctrl & regs::noc::kCmdTypeMask; }
  bool is_read() const { return type() == regs::noc::kCmdRd; }
  bool is_atomic() const { return type() == regs::noc::kCmdAt; }
  bool is_write() const { return type() == regs::noc::kCmdWr; }
  bool is_inline() const { return is_write() && flag(regs::noc::kCmdWrInline); }
  bool is_byte_enabled() const { return is_write() && flag(regs::noc::kCmdWrBe); }
  /// True if the command copies bytes out of this tile.
  bool reads_source() const { return is_write() && !is_inline(); }
  bool is_broadcast() const { return !is_read() && flag(regs::noc::kCmdBrcstPacket); }
  /// Reads always have a response.
  bool is_posted() const { return !is_read() && !flag(regs::noc::kCmdRespMarked); }
  bool is_linked() const { return flag(regs::noc::kCmdVcLinked); }
  bool is_static() const { return flag(regs::noc::kCmdVcStatic); }
  /// True if AT_LEN_BE is a length.
  bool has_length() const { return is_read() || (reads_source() && !is_byte_enabled()); }
  unsigned static_class() const { return ctrl >> (regs::noc::kCmdStaticVcShift + 1) & 3; }
  unsigned static_buddy() const { return ctrl >> regs::noc::kCmdStaticVcShift & 1; }
  unsigned priority() const {
    return ctrl >> regs::noc::kCmdArbPriorityShift & regs::noc::kCmdArbPriorityMask;
  }
  unsigned transaction_id() const {
    return tag >> regs::noc::kTagTransactionIdShift & regs::noc::kTagTransactionIdMask;
  }

  /// The destination: RET for writes from memory, TARG for others.
  const Place& destination() const { return reads_source() ? ret : targ; }

  /// The node of a unicast, or the end corner of a broadcast.
  static Node end_of(std::uint32_t to) {
    return node(to, regs::noc::kToXShift, regs::noc::kToYShift);
  }
  static Node start_of(std::uint32_t to) {
    return node(to, regs::noc::kToStartXShift, regs::noc::kToStartYShift);
  }

 private:
  static Node node(std::uint32_t to, std::uint32_t x_shift, std::uint32_t y_shift) {
    return {static_cast<std::uint8_t>(to >> x_shift & regs::noc::kCoordinateMask),
            static_cast<std::uint8_t>(to >> y_shift & regs::noc::kCoordinateMask)};
  }
};

}  // namespace tvp::noc
