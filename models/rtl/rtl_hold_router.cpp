#include "models/rtl/rtl_hold_router.h"

#include <bit>

#include "Vhold_router.h"
#include "Vhold_router___024root.h"

namespace tvp::rtl {

using mesh::kPorts;
using mesh::Port;

RtlHoldRouter::RtlHoldRouter(const sc_core::sc_module_name& name,
                             const mesh::MeshTopology& topology)
    : RtlRouter(name, topology), rtl_(std::make_unique<Vhold_router>("rtl")) {
  connect(*rtl_);
  rtl_->in_ready(in_ready_);
  rtl_->out_ready(out_ready_);
  add_wave_rows();
}

void RtlHoldRouter::add_wave_rows() {
  pin_waves_.add_pin({"in_ready", kPorts}, in_ready_);
  pin_waves_.add_pin({"out_ready", kPorts}, out_ready_);
  pin_waves_.add({"held", kPorts}, [this] {
    return std::uint64_t{rtl_->rootp->hold_router_pins__DOT__router__DOT__held};
  });
  pin_waves_.add({"owned", kPorts}, [this] {
    return std::uint64_t{rtl_->rootp->hold_router_pins__DOT__router__DOT__owned};
  });
}

RtlHoldRouter::~RtlHoldRouter() = default;

void RtlHoldRouter::empty() {
  clear();
  valid_ = 0;
  ready_ = kAllPorts;
  taken_ = 0;
}

void RtlHoldRouter::take(Port port) { taken_ |= mesh::mask_of(port); }

void RtlHoldRouter::drive() {
  RtlRouter::drive();
  out_ready_.write(taken_);
}

void RtlHoldRouter::sample(support::Cycle) {
  const mesh::PortMask before = valid_ & static_cast<mesh::PortMask>(~taken_);
  valid_ = static_cast<mesh::PortMask>(out_.valid.read());
  ready_ = static_cast<mesh::PortMask>(in_ready_.read());
  for (unsigned bits = valid_ & ~unsigned{before}; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    outputs_[port] = flit_at(port);
  }
  taken_ = 0;
}

}  // namespace tvp::rtl
