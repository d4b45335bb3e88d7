#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/rtl/ck_block.h"
#include "models/rtl/rtl_module.h"

class Vcrossbar;

namespace tvp::rtl {

/// crossbar.sv behind the interface of switching::Crossbar. The payload of packets stays outside,
/// so the data pins are low.
class RtlCrossbar : public ChannelBlock<switching::ExternalCrossbar>, private CkBlock {
 public:
  // Parameters of the RTL.
  static constexpr unsigned kPorts = 16;
  static constexpr unsigned kCycleBits = 20;

  /// Throws Fault(kDescription) for features that the RTL lacks.
  RtlCrossbar(const std::string& where, const RtlModule::Crossbar& crossbar);
  ~RtlCrossbar() override;

  dram::MemCycle ready(std::uint32_t inputs, std::uint32_t outputs,
                       dram::MemCycle earliest) override;
  void connect(std::uint32_t inputs, std::uint32_t outputs, dram::MemCycle begin,
               dram::MemCycle end) override;
  void watch(support::WaveRecorder& recorder, const std::string& path) override {
    watch_pins(recorder, path);
  }
  void catch_up() override { tick_to_present(); }

  /// The data pins in the present cycle of CK, which the platform leaves low.
  void drive(unsigned input, std::uint8_t beat);
  bool is_valid(unsigned output) const;
  std::uint8_t beat(unsigned output) const;

 private:
  bool is_idle() const override;
  void tick() override;
  void edge();
  void request(std::uint32_t inputs, std::uint32_t outputs, dram::MemCycle earliest);

  std::unique_ptr<Vcrossbar> rtl_;
};

}  // namespace tvp::rtl
