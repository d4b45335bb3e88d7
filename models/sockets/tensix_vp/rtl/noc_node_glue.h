#pragma once

#include "tensix_vp/rtl/noc_node.h"

namespace tensix_vp::rtl {

/// A class of Verilator as a NocNode. Only tensix_vp_add_rtl() includes this header.
template <typename Verilated>
class VerilatedNocNode : public NocNode {
 public:
  void eval(NocNodePins& pins) override {
    static_assert(
        requires(Verilated & v) {
          v.clk + v.rst + v.in_valid + v.in_addr + v.in_wdata + v.in_wstrb;
          v.out_ready + v.out_rsp_valid + v.out_rsp_error + v.out_rsp_rdata;
        },
        "KIND noc_node: TOP lacks one of the inputs clk, rst, in_valid, in_addr[64], in_wdata[64], "
        "in_wstrb[8], out_ready, out_rsp_valid, out_rsp_error, out_rsp_rdata[64]");
    static_assert(
        requires(Verilated & v) {
          v.in_ready + v.in_rsp_valid + v.in_rsp_rdata;
          v.out_valid + v.out_addr + v.out_wdata + v.out_wstrb + v.busy;
        },
        "KIND noc_node: TOP lacks one of the outputs in_ready, in_rsp_valid, in_rsp_rdata[64], "
        "out_valid, out_addr[64], out_wdata[64], out_wstrb[8], busy");
    verilated_.clk = pins.clk;
    verilated_.rst = pins.rst;
    verilated_.in_valid = pins.in_valid;
    verilated_.in_addr = pins.in_addr;
    verilated_.in_wdata = pins.in_wdata;
    verilated_.in_wstrb = pins.in_wstrb;
    verilated_.out_ready = pins.out_ready;
    verilated_.out_rsp_valid = pins.out_rsp_valid;
    verilated_.out_rsp_error = pins.out_rsp_error;
    verilated_.out_rsp_rdata = pins.out_rsp_rdata;
    verilated_.eval();
    pins.in_ready = verilated_.in_ready;
    pins.in_rsp_valid = verilated_.in_rsp_valid;
    pins.in_rsp_rdata = verilated_.in_rsp_rdata;
    pins.out_valid = verilated_.out_valid;
    pins.out_addr = verilated_.out_addr;
    pins.out_wdata = verilated_.out_wdata;
    pins.out_wstrb = verilated_.out_wstrb;
    pins.busy = verilated_.busy;
  }

 private:
  Verilated verilated_;
};

}  // namespace tensix_vp::rtl
