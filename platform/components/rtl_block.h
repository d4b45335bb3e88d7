#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>

#include "foundation/clock_ratio.h"
#include "foundation/hex.h"
#include "tensix_vp/systemc/rtl_parameters.h"

namespace tensix_vp {

/// The pins of RTL behind a target socket, and its clock. `Rtl` evaluates `Pins`.
template <typename Rtl, typename Pins>
class RtlBlock {
 public:
  /// Resets the RTL. `socket` names it in messages.
  RtlBlock(std::string socket, std::unique_ptr<Rtl> rtl, const RtlParameters& parameters)
      : socket_(std::move(socket)),
        rtl_(std::move(rtl)),
        patience_cycles_(parameters.patience_cycles),
        period_(parameters.clock_mhz != 0 ? tvp::foundation::Period::of_mhz(parameters.clock_mhz)
                                          : tvp::foundation::Period{parameters.period.value(), 1}) {
    if (period_.ps_num == 0) throw std::runtime_error(socket_ + ": expected a period above 0");
    pins.rst = 1;
    for (unsigned i = 0; i < kResetEdges; ++i) tick();
    pins.rst = 0;
  }

  Pins pins;

  /// One edge of the clock. Returns the pins before it, whose outputs count at this edge.
  const Pins& tick() {
    pins.clk = 0;
    rtl_->eval(pins);
    before_ = pins;
    pins.clk = 1;
    rtl_->eval(pins);
    return before_;
  }

  sc_core::sc_time time_of(std::uint64_t edge) const {
    return sc_core::sc_time::from_value(period_.time_ps(edge));
  }
  /// The first edge after `time`.
  std::uint64_t edge_after(const sc_core::sc_time& time) const {
    return period_.edge_at_or_after(time.value() + 1);
  }
  unsigned patience_cycles() const { return patience_cycles_; }

  /// The RTL has not moved a word of the payload until `end`, for the time of its patience.
  void report_stuck(tlm::tlm_generic_payload& payload, const std::string& what,
                    const sc_core::sc_time& end) const {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    const std::string text = socket_ + ": the RTL " + what + " the " +
                             (payload.is_write() ? "write" : "read") + " at address " +
                             tvp::foundation::hex(payload.get_address()) + ", " +
                             std::to_string(patience_cycles_) + " edges until " + end.to_string();
    SC_REPORT_WARNING("/tensix_vp", text.c_str());
  }

 private:
  static constexpr unsigned kResetEdges = 4;

  const std::string socket_;
  const std::unique_ptr<Rtl> rtl_;
  const unsigned patience_cycles_;
  const tvp::foundation::Period period_;
  Pins before_;
};

}  // namespace tensix_vp
