#include "models/rtl/rtl_vc_router.h"

#include <bit>

#include "Vvc_router.h"
#include "Vvc_router___024root.h"
#include "foundation/fault.h"

namespace tvp::rtl {

using mesh::kPorts;
using mesh::Port;

RtlVcRouter::RtlVcRouter(const sc_core::sc_module_name& name, const mesh::MeshTopology& topology)
    : RtlRouter(name, topology), rtl_(std::make_unique<Vvc_router>("rtl")) {
  connect(*rtl_);
  rtl_->endpoints(endpoints_);
  rtl_->credit_in(credit_in_);
  rtl_->credit_out(credit_out_);
  rtl_->overflow(overflow_);
  for (unsigned p = 0; p < kPorts; ++p) {
    rtl_->credit_in_vc[p](credit_in_vc_[p]);
    rtl_->credit_out_vc[p](credit_out_vc_[p]);
  }
  outputs_.flits = 0;
  outputs_.credits = 0;
  add_wave_rows();
}

void RtlVcRouter::add_wave_rows() {
  pin_waves_.add_pin({"credit_in", kPorts}, credit_in_);
  pin_waves_.add_pin({"credit_out", kPorts}, credit_out_);
  for (unsigned p = 0; p < kPorts; ++p) {
    const std::string port = mesh::name_of(static_cast<Port>(p));
    pin_waves_.add_pin({"credit_in_vc_" + port, 3}, credit_in_vc_[p]);
    pin_waves_.add_pin({"credit_out_vc_" + port, 3}, credit_out_vc_[p]);
    for (unsigned vc = 0; vc < kVcs; ++vc) {
      const std::string channel = port + "_vc" + std::to_string(vc);
      pin_waves_.add({"buffered_" + channel, 4}, [this, p, vc] {
        return std::uint64_t{rtl_->rootp->vc_router_pins__DOT__router__DOT__count[p * kVcs + vc]};
      });
      pin_waves_.add({"credits_" + channel, 4}, [this, p, vc] {
        return std::uint64_t{rtl_->rootp->vc_router_pins__DOT__router__DOT__credits[p * kVcs + vc]};
      });
    }
  }
}

RtlVcRouter::~RtlVcRouter() = default;

void RtlVcRouter::empty() {
  clear();
  outputs_.flits = 0;
  outputs_.credits = 0;
  credited_ = 0;
}

void RtlVcRouter::set_straps(const mesh::Straps& straps, unsigned routing) {
  RtlRouter::set_straps(straps, routing);
  endpoints_.write(straps.endpoints);
}

void RtlVcRouter::credit(Port out, unsigned vc) {
  credited_ |= mesh::mask_of(out);
  credit_vcs_[mesh::index(out)] = static_cast<std::uint8_t>(vc);
}

void RtlVcRouter::drive() {
  RtlRouter::drive();
  credit_in_.write(credited_);
  for (unsigned bits = credited_; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    credit_in_vc_[port].write(credit_vcs_[port]);
  }
}

void RtlVcRouter::sample(support::Cycle) {
  if (overflow_.read()) {
    throw foundation::Fault(foundation::FaultKind::kInternal, name(), "flit without a credit");
  }
  outputs_.flits = static_cast<mesh::PortMask>(out_.valid.read());
  outputs_.credits = static_cast<mesh::PortMask>(credit_out_.read());
  for (unsigned port = 0; port < kPorts; ++port) {
    if ((outputs_.credits >> port & 1) != 0) {
      outputs_.credit_vc[port] = static_cast<std::uint8_t>(credit_out_vc_[port].read());
    }
    if ((outputs_.flits >> port & 1) == 0) continue;
    outputs_.flit[port] = flit_at(port);
  }
  credited_ = 0;
}

}  // namespace tvp::rtl
