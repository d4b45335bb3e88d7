#pragma once

#include "tensix_vp/rtl/bus_device.h"

namespace tensix_vp::rtl {

/// A class of Verilator as a BusDevice. Only tensix_vp_add_rtl() includes this header.
template <typename Verilated>
class VerilatedBusDevice : public BusDevice {
 public:
  void eval(BusDevicePins& pins) override {
    static_assert(
        requires(Verilated & v) { v.clk + v.rst + v.valid + v.addr + v.wdata + v.wstrb; },
        "KIND bus_device: TOP lacks one of the inputs clk, rst, valid, addr[32], "
        "wdata[32], wstrb[4]");
    static_assert(
        requires(Verilated & v) { v.ready + v.rdata; },
        "KIND bus_device: TOP lacks one of the outputs ready, rdata[32]");
    verilated_.clk = pins.clk;
    verilated_.rst = pins.rst;
    verilated_.valid = pins.valid;
    verilated_.addr = pins.addr;
    verilated_.wdata = pins.wdata;
    verilated_.wstrb = pins.wstrb;
    verilated_.eval();
    pins.ready = verilated_.ready;
    pins.rdata = verilated_.rdata;
  }

 private:
  Verilated verilated_;
};

}  // namespace tensix_vp::rtl
