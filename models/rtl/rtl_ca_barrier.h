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

/// ca_barrier.sv on the command/address bus of a channel. It replaces the barriers of RankControl.
///
/// The bus grants slots in the order of requests. The controller requests one when a received line
/// means that it must send a word. `ca_busy` is low in its granted slots. The RTL decides which
/// ranks have arrived, which words it sends, and when all may continue. Its clock is CK, which
/// stops while nothing in the module can change.
class RtlCaBarrier : public sc_core::sc_module, public BarrierController {
 public:
  // Parameters of the RTL.
  static constexpr unsigned kRanks = 8;
  static constexpr unsigned kMostRequestCycles = 32;

  /// Throws Fault(kDescription) for features that the RTL lacks.
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
  /// One CK; true if the ranks are released in it.
  bool clock_once(std::uint32_t arrive);
  bool may_change() const;
  void show();
  void show_until(support::Cycle end);

  ddr::CaBus& bus_;
  const ddr::BarrierScheme scheme_;
  const unsigned request_cycles_;
  const dram::ClockRatio to_wave_;
  std::uint32_t ranks_ = 0;            ///< ranks of the group
  std::uint32_t arrived_ = 0;          ///< ranks that have arrived at the current barrier
  ddr::MemCycle latest_ = 0;           ///< latest of their arrivals
  std::deque<ddr::MemCycle> granted_;  ///< slots in ascending order
  std::deque<Arrival> arrivals_;       ///< arrivals that the RTL has not seen
  std::uint32_t seen_ = 0;             ///< ranks of the current barrier that the RTL has seen
  ddr::MemCycle last_line_ = 0;        ///< latest line of these
  ddr::MemCycle now_ = 0;              ///< the next CK
  bool fresh_ = true;                  ///< a new group: the module must be reset
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
