#include "models/tensix/tile/tile_control.h"

#include "foundation/regs/register_names.h"
#include "foundation/regs/tensix_tile.h"
#include "models/tensix/tile/risc_debug.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
using support::MmioAccess;
using support::Watch;

void TileControl::access(MmioAccess& access) {
  if (access.write) {
    write(access);
  } else {
    read(access);
  }
}

// tt-llk, ckernel_debug.h: row in bits 11:0, word in 15:12, array in 18:16.
bool TileControl::reads_dst() const {
  constexpr std::uint32_t kDst = 2;
  return array_read_ && (array_command_ >> 16 & 7U) == kDst;
}

void TileControl::write(MmioAccess& access) {
  switch (access.offset) {
    case regs::kSoftReset0: {
      const std::uint32_t before = soft_reset_;
      soft_reset_ = access.data;
      client_.soft_reset_changed(before, soft_reset_, access.now, access.order);
      debug_.reset_with_cores();
      break;
    }
    case regs::kPcBufOverride:
      client_.set_pc_buf_override(access.data, access.now, access.order);
      break;
    case regs::kFeatureDisable:
      feature_disable_ = access.data;
      client_.set_feature_disable(access.data);
      break;
    case regs::kCfgregReadControl:
      cfgreg_index_ = access.data & 0x7FFU;
      break;
    case regs::kArrayReadEnable:
      array_read_ = (access.data & 1U) != 0;
      break;
    case regs::kArrayReadCommand:
      array_command_ = access.data;
      break;
    case regs::kDebugBusControl:
      debug_.select_signal(access.data);
      break;
    case regs::kRiscDebugControl0:
      debug_.write_control(access.data, access.now);
      break;
    case regs::kRiscDebugControl1:
      debug_.write_data(access.data);
      break;
    default: {
      std::uint32_t* const reset_pc = client_.reset_pc_register(access.offset);
      if (reset_pc == nullptr) return unmodelled(access);
      *reset_pc = access.data;
    }
  }
  watch_hub_.changed(Watch::kTileControl, access.now, access.order);
}

void TileControl::read(MmioAccess& access) {
  access.watch = Watch::kTileControl;
  switch (access.offset) {
    case regs::kSoftReset0:
      access.data = soft_reset_;
      break;
    case regs::kPcBufOverride:
      access.data = client_.pc_buf_override();
      break;
    case regs::kFeatureDisable:
      access.data = feature_disable_;
      break;
    case regs::kCfgregReadData:
      access.data = client_.config_word(cfgreg_index_);
      access.watch = Watch::kNone;
      break;
    case regs::kArrayReadEnable:
      access.data = array_read_ ? 1 : 0;
      break;
    case regs::kArrayReadCommand:
      access.data = array_command_;
      break;
    case regs::kArrayReadData:
      if (!reads_dst()) return unmodelled(access);
      access.data = client_.dst_word(array_command_ & 0xFFFU, array_command_ >> 12 & 0xFU);
      access.watch = Watch::kNone;
      break;
    case regs::kDebugBusControl:
      access.data = debug_.selected_signal();
      break;
    case regs::kDebugBusData:
      access.data = debug_.signal();
      access.watch = Watch::kNone;
      break;
    case regs::kRiscDebugControl0:
      access.data = debug_.control();
      break;
    case regs::kRiscDebugControl1:
      access.data = debug_.data();
      break;
    case regs::kRiscDebugStatus0:
      access.data = debug_.read_valid();
      break;
    case regs::kRiscDebugStatus1:
      access.data = debug_.read_data();
      break;
    case regs::kWallClockLow:
      wall_clock_high_ = static_cast<std::uint32_t>(access.now >> 32);
      access.data = static_cast<std::uint32_t>(access.now);
      access.watch = Watch::kNone;
      break;
    case regs::kWallClockHighRaw:
      access.data = static_cast<std::uint32_t>(access.now >> 32);
      access.watch = Watch::kNone;
      break;
    case regs::kWallClockHigh:
      access.data = wall_clock_high_;
      access.watch = Watch::kNone;
      break;
    default: {
      const std::uint32_t* const reset_pc = client_.reset_pc_register(access.offset);
      if (reset_pc == nullptr) return unmodelled(access);
      access.data = *reset_pc;
    }
  }
}

void TileControl::unmodelled(const MmioAccess& access) {
  faults_.raise({foundation::FaultKind::kUnmodelled, where_,
                 std::string(access.write ? "write" : "read") + " of tile control " +
                     regs::control_register_name(access.offset) + " is not modelled"});
}

}  // namespace tvp::tensix
