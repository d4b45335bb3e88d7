#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/mmio.h"

namespace tvp::tensix {

/// The target of the tile control registers.
class TileControlClient {
 public:
  virtual ~TileControlClient() = default;
  /// SOFT_RESET_0 has changed from `before` to `after` at cycle `now`.
  virtual void soft_reset_changed(std::uint32_t before, std::uint32_t after, support::Cycle now,
                                  unsigned order) = 0;
  /// TRISC_PC_BUF_OVERRIDE was written.
  virtual void set_pc_buf_override(std::uint32_t value, support::Cycle now, unsigned order) = 0;
  virtual std::uint32_t pc_buf_override() const = 0;
  /// DBG_FEATURE_DISABLE was written.
  virtual void set_feature_disable(std::uint32_t value) = 0;
  /// Word `index` of the backend configuration window, for CFGREG_RDDATA.
  virtual std::uint32_t config_word(std::uint32_t index) const = 0;
  /// The register with the reset PC of a core at this offset, or null.
  virtual std::uint32_t* reset_pc_register(std::uint32_t /*offset*/) { return nullptr; }
  /// Word `index` of a row of Dst's storage, for DBG_ARRAY_RD_DATA: two columns.
  virtual std::uint32_t dst_word(std::uint32_t row, std::uint32_t index) const = 0;
};

class RiscDebug;

/// Tile control / debug / status registers at 0xFFB12000 (ISA TileControlDebugStatus.md,
/// SoftReset.md, DebugTimestamper.md). Reads of arrays are those of Dst (tt-llk, ckernel_debug.h).
/// The wall clock counts AICLK cycles since power-on.
class TileControl : public support::MmioDevice {
 public:
  TileControl(std::string where, std::uint32_t reset_value, TileControlClient& client,
              RiscDebug& debug, support::WatchHub& watch_hub, foundation::FaultPolicy& faults)
      : where_(std::move(where)),
        client_(client),
        debug_(debug),
        watch_hub_(watch_hub),
        faults_(faults),
        soft_reset_(reset_value) {}

  void access(support::MmioAccess& access) override;

  std::uint32_t soft_reset() const { return soft_reset_; }

 private:
  void write(support::MmioAccess& access);
  void read(support::MmioAccess& access);
  /// False if the registers select another array than Dst.
  bool reads_dst() const;
  void unmodelled(const support::MmioAccess& access);

  std::string where_;
  TileControlClient& client_;
  RiscDebug& debug_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  std::uint32_t soft_reset_;
  std::uint32_t feature_disable_ = 0;
  std::uint32_t cfgreg_index_ = 0;
  bool array_read_ = false;
  std::uint32_t array_command_ = 0;
  std::uint32_t wall_clock_high_ = 0;  ///< a read of the low word latches it
};

}  // namespace tvp::tensix
