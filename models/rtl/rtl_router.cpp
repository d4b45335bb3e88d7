#include "models/rtl/rtl_router.h"

#include <algorithm>
#include <cstring>

namespace tvp::rtl {

namespace {
/// Least length of a reset.
constexpr std::size_t kResetEdges = 4;
}  // namespace

RtlRouter::RtlRouter(const Module& module, const std::string& name,
                     const mesh::MeshTopology& topology)
    : topology_(topology), wires_(topology), rtl_(module.make(name.c_str())) {
  add_rows(pin_waves_, "in", pins_.in_valid, pins_.in_control, pins_.in_data);
  add_rows(pin_waves_, "out", pins_.out_valid, pins_.out_control, pins_.out_data);
  for (std::size_t i = 0; i < rtl_->registers(); ++i) {
    const tensix_vp::rtl::Register shown = rtl_->register_at(i);
    pin_waves_.add({shown.name, shown.width}, [shown] {
      std::uint64_t value = 0;
      std::memcpy(&value, shown.data, shown.bytes);
      return value;
    });
  }
}

void RtlRouter::add_row(const PinWaves::Row& row, const std::uint8_t& pins) {
  pin_waves_.add(row, [&pins] { return std::uint64_t{pins}; });
}

/// The inputs settle before the edge, so that both may have any order in the router.
void RtlRouter::edge() {
  pins_.clk = 0;
  rtl_->eval(pins_);
  pins_.clk = 1;
  rtl_->eval(pins_);
}

/// Writes a row of the table with each edge. On a chip's wires this time is part of
/// mesh.fault_detect_cycles.
void RtlRouter::reset(const mesh::Straps& straps, unsigned routing,
                      const std::vector<TableRow>& rows) {
  clear_inputs();
  pins_.x = static_cast<std::uint8_t>(topology_.x_of(straps.node));
  pins_.y = static_cast<std::uint8_t>(topology_.y_of(straps.node));
  pins_.endpoints = straps.endpoints;
  pins_.routing = static_cast<std::uint8_t>(routing);
  pins_.rst = 1;
  for (std::size_t i = 0; i < std::max(rows.size(), kResetEdges); ++i) {
    pins_.row_write = i < rows.size() ? 1 : 0;
    if (i < rows.size()) {
      pins_.row_index = static_cast<std::uint8_t>(rows[i].index);
      pins_.row = rows[i].outputs;
    }
    edge();
  }
  pins_.row_write = 0;
  pins_.rst = 0;
  pins_.clk = 0;
  rtl_->eval(pins_);
  sample();
}

void RtlRouter::clock(support::Cycle cycle, bool shows) {
  edge();
  sample();
  if (shows) pin_waves_.show(cycle);
  clear_inputs();
}

void RtlRouter::put(mesh::Port in, const mesh::Flit& flit, std::uint64_t payload) {
  pins_.in_valid |= mesh::mask_of(in);
  pins_.in_control[mesh::index(in)] = wires_.control(flit);
  pins_.in_data[mesh::index(in)] = FlitPins::data(flit, payload);
}

}  // namespace tvp::rtl
