#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/support/mmio.h"
#include "models/tensix/coprocessor/mover/mover.h"
#include "models/tensix/coprocessor/pack/packer_metadata.h"

namespace tvp::tensix::coprocessor {

/// Registers at 0xFFB11000 (ISA TensixTile/TDMA-RISC.md): commands for the mover, values that
/// PACR_SETREG uses, and the packers' tile counters.
///
/// The metadata FIFOs and STALLWAIT's packer conditions as bits are not modelled; their use stops
/// the run.
class TdmaRisc : public support::MmioDevice {
 public:
  /// The configuration that PACR_SETREG reads here.
  struct PackSetregConfig {
    std::array<std::uint32_t, 4> high_scaler{};
    std::array<std::uint32_t, 2> base{};
  };

  TdmaRisc(std::string where, Mover& mover, support::WatchHub& watch_hub,
           foundation::FaultPolicy& faults)
      : where_(std::move(where)), mover_(mover), watch_hub_(watch_hub), faults_(faults) {}

  void attach(PackerMetadata* packers) { packers_ = packers; }

  const PackSetregConfig& pack_setreg() const { return pack_setreg_; }

  void access(support::MmioAccess& access) override;

 private:
  void write(support::MmioAccess& access);
  void read(support::MmioAccess& access);
  void enqueue(support::MmioAccess& access);
  std::uint32_t status() const;
  bool read_metadata(support::MmioAccess& access);
  void reset_accumulated(std::uint32_t value);
  void set_scaler(unsigned first, std::uint32_t values);
  [[noreturn]] void unmodelled(const support::MmioAccess& access) const;
  static unsigned base_index(support::BusMaster master);

  std::string where_;
  Mover& mover_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  PackerMetadata* packers_ = nullptr;

  std::array<std::uint32_t, 4> parameters_{};
  std::array<std::uint32_t, 4> command_base_{};  ///< for B, T0, T1, T2
  std::uint32_t unpack_register_address_ = 0;
  std::uint32_t scaler2_ = 0;
  PackSetregConfig pack_setreg_;
};

}  // namespace tvp::tensix::coprocessor
