#pragma once

#include <string>

#include "models/rtl/channel_block.h"
#include "models/rtl/pin_waves.h"

namespace tvp::rtl {

/// The clock of a block that answers within the call of its model, where SystemC cannot give it
/// edges. Such a module is verilated as a C++ class. At each call it gets the edges of CK up to the
/// calendar's present cycle. While nothing in it can change, it gets none.
class CkBlock {
 protected:
  /// `where` names the block in faults.
  CkBlock(const ChannelClock& clock, std::string where);
  virtual ~CkBlock() = default;

  /// Ticks up to the present. Returns the cycles from there to `when`; throws Fault(kInternal) if
  /// it is in the past, or if the cycles are `limit` or more.
  dram::MemCycle delay_until(dram::MemCycle when, dram::MemCycle limit);
  void tick_to_present();
  void watch_pins(support::WaveRecorder& recorder, const std::string& path);
  [[noreturn]] void fail(const std::string& text) const;

  virtual bool is_idle() const = 0;
  /// The end of a cycle of CK.
  virtual void tick() = 0;
  /// Collects the values of a cycle of CK for the wave file. forget() follows when they are shown.
  virtual void sample() {}
  virtual void forget() {}

  /// The present cycle of CK.
  dram::MemCycle now() const { return now_; }
  PinWaves& pin_waves() { return pin_waves_; }

 private:
  /// `last`: the last CK of the wave file's cycle.
  void show(support::Cycle cycle, bool last);

  const ChannelClock clock_;
  const std::string where_;
  dram::MemCycle now_ = 0;
  bool watched_ = false;
  PinWaves pin_waves_;
};

}  // namespace tvp::rtl
