#pragma once

#include <cstdint>

#include "foundation/regs/noc.h"
#include "models/noc/endpoint_type.h"
#include "models/support/bus_access.h"
#include "models/support/time.h"

namespace tvp::noc {

/// The registers of one request initiator, with accessors for their bits.
struct RequestInitiator {
  std::uint32_t targ_lo = 0;
  std::uint32_t targ_mid = 0;
  std::uint32_t targ_hi = 0;  ///< stored, without effect
  std::uint32_t ret_lo = 0;
  std::uint32_t ret_mid = 0;
  std::uint32_t ret_hi = 0;  ///< stored, without effect
  std::uint32_t tag = 0;
  std::uint32_t ctrl = 0;
  std::uint32_t at_len_be = 0;
  std::uint32_t at_data = 0;
  std::uint32_t busy = 0;  ///< CMD_CTRL
  // The MID registers as software wrote them, and after translation. If a register still holds the
  // translated value, the next command means the same written address.
  std::uint32_t targ_mid_written = 0;
  std::uint32_t ret_mid_written = 0;
  std::uint32_t targ_mid_translated = 0;
  std::uint32_t ret_mid_translated = 0;
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

  std::uint64_t targ_address() const { return address(targ_lo, targ_mid); }
  std::uint64_t ret_address() const { return address(ret_lo, ret_mid); }
  Node targ_node() const { return node(targ_mid, regs::noc::kMidXShift, regs::noc::kMidYShift); }
  Node ret_node() const { return node(ret_mid, regs::noc::kMidXShift, regs::noc::kMidYShift); }
  /// The MID register with the destination: RET for writes from memory, TARG for others.
  std::uint32_t destination_mid() const { return reads_source() ? ret_mid : targ_mid; }
  std::uint32_t destination_mid_written() const {
    return reads_source() ? ret_mid_written : targ_mid_written;
  }
  std::uint64_t destination_address() const {
    return reads_source() ? ret_address() : targ_address();
  }

  static std::uint64_t address(std::uint32_t lo, std::uint32_t mid) {
    return std::uint64_t{mid & regs::noc::kMidAddressMask} << 32 | lo;
  }
  static Node node(std::uint32_t mid, std::uint32_t x_shift, std::uint32_t y_shift) {
    return {static_cast<std::uint8_t>(mid >> x_shift & regs::noc::kCoordinateMask),
            static_cast<std::uint8_t>(mid >> y_shift & regs::noc::kCoordinateMask)};
  }
};

}  // namespace tvp::noc
