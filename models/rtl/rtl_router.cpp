#include "models/rtl/rtl_router.h"

#include <bit>

namespace tvp::rtl {

RtlRouter::RtlRouter(const sc_core::sc_module_name& name, const mesh::MeshTopology& topology)
    : sc_module(name), topology_(topology), pins_(topology) {
  add_rows(pin_waves_, "in", in_);
  add_rows(pin_waves_, "out", out_);
}

void RtlRouter::set_straps(const mesh::Straps& straps, unsigned routing) {
  x_.write(topology_.x_of(straps.node));
  y_.write(topology_.y_of(straps.node));
  routing_.write(routing);
}

void RtlRouter::set_row(std::optional<TableRow> row) {
  row_write_.write(row.has_value());
  if (!row) return;
  row_index_.write(row->index);
  row_.write(row->outputs);
}

void RtlRouter::drive() {
  in_.valid.write(received_);
  for (unsigned bits = received_; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(bits));
    in_.control[port].write(inputs_[port].control);
    in_.data[port].write(inputs_[port].data);
  }
  received_ = 0;
}

void RtlRouter::note_flit(mesh::Port in, const mesh::Flit& flit) {
  received_ |= mesh::mask_of(in);
  inputs_[mesh::index(in)] = pins_.wires(flit);
}

mesh::Flit RtlRouter::flit_at(unsigned out) const {
  return pins_.flit({out_.control[out].read(), out_.data[out].read()});
}

void RtlRouter::clear() { received_ = 0; }

}  // namespace tvp::rtl
