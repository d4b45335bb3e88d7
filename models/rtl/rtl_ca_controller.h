#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/rtl/ck_block.h"
#include "models/rtl/rtl_module.h"

class Vca_controller;

namespace tvp::rtl {

/// ca_controller.sv behind the interfaces of ddr::CaBus and ddr::RankControl.
class RtlCaController : public ChannelBlock<ddr::ExternalCaBus>, private CkBlock {
 public:
  // Parameters of the RTL.
  static constexpr unsigned kRanks = 8;
  static constexpr unsigned kSlots = 1024;
  static constexpr unsigned kGroups = 8;
  static constexpr unsigned kMostSlots = 127;  ///< slots of a request
  static constexpr unsigned kMostRequestCycles = kSlots / 2;

  /// Throws Fault(kDescription) for features that the RTL lacks.
  RtlCaController(const std::string& where, const RtlModule::CaController& controller);
  ~RtlCaController() override;

  dram::MemCycle issue(const Command& command, dram::MemCycle earliest) override;
  Answer arrive(const Arrival& arrival, dram::MemCycle earliest) override;
  void watch(support::WaveRecorder& recorder, const std::string& path) override {
    watch_pins(recorder, path);
  }
  void catch_up() override { tick_to_present(); }

  /// The levels on the bus in the present cycle of CK.
  ddr::CaPins pins() const;

 private:
  bool is_idle() const override;
  void tick() override;
  void sample() override;
  void forget() override;
  void edge();
  void take(dram::MemCycle earliest);
  void add_wave_rows();

  std::unique_ptr<Vca_controller> rtl_;
  unsigned groups_ = 0;  ///< bit g: place g is taken
  ddr::CaPins shown_;    ///< the last command in the wave file's cycle
  std::uint8_t selected_ = 0;
};

}  // namespace tvp::rtl
