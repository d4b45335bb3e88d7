#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <systemc>

#include "models/ddr/ca_bus.h"
#include "models/dram/timing/dram_time.h"
#include "models/rtl/pin_waves.h"
#include "models/rtl/rtl_module.h"
#include "models/support/wave_files/wave_recorder.h"

class Vca_barrier;

namespace tvp::rtl {

/// ca_barrier.sv on the command/address bus of a channel, in place of RankControl's barriers.
///
/// Who gets which slot is up to the bus, which grants slots in the order of asking: the controller
/// asks for one when a line that it hears means that it has something to say. `ca_busy` is low in
/// slots that it was granted. Who is there, what is said in them and when all may go on, the RTL
/// says. Its clock is CK; it stands still while nothing in the module can change.
class RtlCaBarrier : public sc_core::sc_module, public BarrierController {
 public:
  // Parameters of the RTL.
  static constexpr unsigned kRanks = 8;
  static constexpr unsigned kMostRequestCycles = 32;

  /// Throws Fault(kDescription) for what the RTL does not have.
  RtlCaBarrier(const sc_core::sc_module_name& name, const RtlModule::Barrier& barrier);
  ~RtlCaBarrier() override;

  void begin(std::uint32_t ranks) override;
  void arrive(unsigned rank, ddr::MemCycle at, ddr::ReleaseListener& listener) override;

  std::uint64_t words() const override { return words_; }
  std::uint64_t releases() const override { return releases_; }
  void watch(support::WaveRecorder& recorder, const std::string& path) override;
  void rethrow() override;

  SC_HAS_PROCESS(RtlCaBarrier);

 private:
  struct Arrival {
    std::uint32_t ranks = 0;
    ddr::MemCycle at = 0;
  };
  /// The values in the wave rows of a cycle.
  struct Shown {
    std::uint32_t arrive = 0;
    std::uint32_t select = 0;
    std::uint32_t payload = 0;
    bool valid = false;
    bool released = false;
  };

  void connect();
  void add_wave_rows();
  void run();
  void reset();
  void settle();
  void clock_until(ddr::MemCycle end);
  /// One CK; true when the ranks are released in it.
  bool clock_once(std::uint32_t arrive);
  bool may_change() const;
  void show();
  void show_until(support::Cycle end);

  ddr::CaBus& bus_;
  const ddr::BarrierScheme scheme_;
  const unsigned request_cycles_;
  const dram::ClockRatio to_wave_;
  std::uint32_t ranks_ = 0;            ///< of the group
  std::uint32_t arrived_ = 0;          ///< of them, at the barrier under way
  ddr::MemCycle latest_ = 0;           ///< of their arrivals
  std::deque<ddr::MemCycle> granted_;  ///< slots, ascending
  std::deque<Arrival> arrivals_;       ///< that the RTL has not seen
  std::uint32_t seen_ = 0;             ///< by the RTL, of the barrier under way
  ddr::MemCycle last_line_ = 0;        ///< of those
  ddr::MemCycle now_ = 0;              ///< the CK that comes next
  bool fresh_ = true;                  ///< a new group: the module has to be reset
  ddr::ReleaseListener* listener_ = nullptr;
  std::uint64_t words_ = 0;
  std::uint64_t releases_ = 0;
  bool watched_ = false;
  support::Cycle shown_cycle_ = 0;
  Shown shown_;
  PinWaves pin_waves_;
  sc_core::sc_event go_;
  std::exception_ptr failed_;

  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_{"rst"};
  sc_core::sc_signal<bool> broadcasts_{"broadcasts"};
  sc_core::sc_signal<std::uint32_t> request_{"request_cycles"};
  sc_core::sc_signal<std::uint32_t> present_{"present"};
  sc_core::sc_signal<std::uint32_t> arrive_{"arrive"};
  sc_core::sc_signal<bool> ca_busy_{"ca_busy"};
  sc_core::sc_signal<bool> ca_valid_{"ca_valid"};
  sc_core::sc_signal<std::uint32_t> ca_select_{"ca_select"};
  sc_core::sc_signal<std::uint32_t> ca_payload_{"ca_payload"};
  sc_core::sc_signal<bool> released_{"released"};
  sc_core::sc_signal<bool> twice_{"twice"};
  std::unique_ptr<Vca_barrier> rtl_;
};

}  // namespace tvp::rtl
