#pragma once

#include <cstddef>

#include "tensix_vp/rtl/mesh_router.h"

namespace tensix_vp::rtl {

/// A class of Verilator as a MeshRouter. Only tensix_vp_add_rtl() includes this header.
template <typename Verilated>
class VerilatedMeshRouter : public MeshRouter {
 public:
  static constexpr bool kHasReady = requires(Verilated & v) {
    v.in_ready;
    v.out_ready;
  };
  static constexpr bool kHasCredits = requires(Verilated & v) {
    v.credit_in;
    v.credit_in_vc;
    v.credit_out;
    v.credit_out_vc;
  };
  static constexpr bool kHasRouting = requires(Verilated & v) { v.routing; };
  static constexpr bool kHasTable = requires(Verilated & v) {
    v.row_write;
    v.row_index;
    v.row;
  };

  explicit VerilatedMeshRouter(const char* instance) : verilated_(instance) {}

  void eval(MeshRouterPins& pins) override {
    static_assert(
        requires(Verilated & v) {
          v.clk;
          v.rst;
          v.x;
          v.y;
        },
        "KIND mesh_router: TOP lacks one of the inputs clk, rst, x[8], y[8]");
    static_assert(
        requires(Verilated & v) {
          v.in_valid;
          v.in_control[0];
          v.in_data[0][kDataWords - 1];
        },
        "KIND mesh_router: TOP lacks one of the inputs in_valid[5], in_control[24] [5], "
        "in_data[128] [5]");
    static_assert(
        requires(Verilated & v) {
          v.out_valid;
          v.out_control[0];
          v.out_data[0][kDataWords - 1];
        },
        "KIND mesh_router: TOP lacks one of the outputs out_valid[5], out_control[24] [5], "
        "out_data[128] [5]");
    static_assert(
        kHasReady != kHasCredits,
        "KIND mesh_router: expected either in_ready[5] and out_ready[5], or credit_in[5], "
        "credit_in_vc[3] [5], credit_out[5] and credit_out_vc[3] [5]");
    drive(pins);
    verilated_.eval();
    sample(pins);
  }

 protected:
  Verilated verilated_;

 private:
  void drive(const MeshRouterPins& pins) {
    verilated_.clk = pins.clk;
    verilated_.rst = pins.rst;
    verilated_.x = pins.x;
    verilated_.y = pins.y;
    verilated_.in_valid = pins.in_valid;
    for (unsigned port = 0; port < kPorts; ++port) {
      if ((pins.in_valid >> port & 1) == 0) continue;
      verilated_.in_control[port] = pins.in_control[port];
      for (unsigned word = 0; word < kDataWords; ++word)
        verilated_.in_data[port][word] = pins.in_data[port][word];
    }
    if constexpr (kHasRouting) verilated_.routing = pins.routing;
    if constexpr (kHasTable) {
      verilated_.row_write = pins.row_write;
      verilated_.row_index = pins.row_index;
      verilated_.row = pins.row;
    }
    if constexpr (kHasReady) verilated_.out_ready = pins.out_ready;
    if constexpr (kHasCredits) {
      verilated_.credit_in = pins.credit_in;
      for (unsigned port = 0; port < kPorts; ++port)
        verilated_.credit_in_vc[port] = pins.credit_in_vc[port];
    }
    if constexpr (requires { verilated_.endpoints; }) verilated_.endpoints = pins.endpoints;
  }

  void sample(MeshRouterPins& pins) const {
    pins.out_valid = verilated_.out_valid;
    for (unsigned port = 0; port < kPorts; ++port) {
      if ((pins.out_valid >> port & 1) == 0) continue;
      pins.out_control[port] = verilated_.out_control[port];
      for (unsigned word = 0; word < kDataWords; ++word)
        pins.out_data[port][word] = verilated_.out_data[port][word];
    }
    if constexpr (kHasReady) pins.in_ready = verilated_.in_ready;
    if constexpr (kHasCredits) {
      pins.credit_out = verilated_.credit_out;
      for (unsigned port = 0; port < kPorts; ++port)
        pins.credit_out_vc[port] = verilated_.credit_out_vc[port];
    }
  }
};

/// The description of a router that Verilator has made, of class VerilatedMeshRouter or derived
/// from it.
template <typename Router>
const MeshRouterModule* mesh_router_module(const char* name) {
  static const MeshRouterModule module{
      .name = name,
      .has_credits = Router::kHasCredits,
      .has_table = Router::kHasTable,
      .has_routing = Router::kHasRouting,
      .make = [](const char* instance) -> MeshRouter* { return new Router(instance); }};
  return &module;
}

}  // namespace tensix_vp::rtl
