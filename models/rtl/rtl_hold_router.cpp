#include "models/rtl/rtl_hold_router.h"

#include <bit>

#include "Vhold_router.h"
#include "Vhold_router___024root.h"

namespace tvp::rtl {

using mesh::kPorts;
using mesh::Port;

RtlHoldRouter::RtlHoldRouter(const sc_core::sc_module_name& name, const mesh::Topology& topology)
    : sc_module(name),
      topology_(topology),
      pins_(topology),
      rtl_(std::make_unique<Vhold_router>("rtl")) {
  rtl_->clk(clk_);
  rtl_->rst(rst_);
  rtl_->x(x_);
  rtl_->y(y_);
  rtl_->routing(routing_);
  rtl_->row_write(row_write_);
  rtl_->row_index(row_index_);
  rtl_->row(row_);
  rtl_->in_valid(in_.valid);
  rtl_->in_ready(in_ready_);
  rtl_->out_valid(out_.valid);
  rtl_->out_ready(out_ready_);
  for (unsigned p = 0; p < kPorts; ++p) {
    rtl_->in_control[p](in_.control[p]);
    rtl_->in_data[p](in_.data[p]);
    rtl_->out_control[p](out_.control[p]);
    rtl_->out_data[p](out_.data[p]);
  }
  add_wave_rows();
}

void RtlHoldRouter::add_wave_rows() {
  add_rows(pin_waves_, "in", in_);
  add_rows(pin_waves_, "out", out_);
  pin_waves_.add_pin({"in_ready", kPorts}, in_ready_);
  pin_waves_.add_pin({"out_ready", kPorts}, out_ready_);
  pin_waves_.add({"held", kPorts},
                 [this] { return std::uint64_t{rtl_->rootp->hold_router__DOT__held}; });
  pin_waves_.add({"owned", kPorts},
                 [this] { return std::uint64_t{rtl_->rootp->hold_router__DOT__owned}; });
}

RtlHoldRouter::~RtlHoldRouter() = default;

void RtlHoldRouter::empty() {
  valid_ = 0;
  ready_ = kAllPorts;
  taken_ = 0;
  received_ = 0;
  inside_ = 0;
  heads_.clear();
}

void RtlHoldRouter::set_straps(const mesh::Straps& straps, unsigned routing) {
  x_.write(topology_.x_of(straps.node));
  y_.write(topology_.y_of(straps.node));
  routing_.write(routing);
}

void RtlHoldRouter::set_row(std::optional<TableRow> row) {
  row_write_.write(row.has_value());
  if (!row) return;
  row_index_.write(row->index);
  row_.write(row->outputs);
}

void RtlHoldRouter::take(Port port) {
  taken_ |= mesh::mask_of(port);
  --inside_;
}

void RtlHoldRouter::receive(Port port, const mesh::Flit& flit) {
  received_ |= mesh::mask_of(port);
  inputs_[mesh::index(port)] = pins_.wires(flit);
  heads_.note(flit);
  ++inside_;
}

void RtlHoldRouter::drive() {
  in_.valid.write(received_);
  out_ready_.write(taken_);
  for (unsigned bits = received_; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    in_.control[port].write(inputs_[port].control);
    in_.data[port].write(inputs_[port].data);
  }
}

void RtlHoldRouter::sample(support::Cycle) {
  const mesh::PortMask before = valid_ & static_cast<mesh::PortMask>(~taken_);
  valid_ = static_cast<mesh::PortMask>(out_.valid.read());
  ready_ = static_cast<mesh::PortMask>(in_ready_.read());
  for (unsigned bits = valid_ & ~unsigned{before}; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    outputs_[port] = pins_.flit({out_.control[port].read(), out_.data[port].read()});
    outputs_[port].arrived = heads_.take(outputs_[port]);
  }
  taken_ = 0;
  received_ = 0;
}

}  // namespace tvp::rtl
