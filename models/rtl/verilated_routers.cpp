#include "models/rtl/verilated_routers.h"

#include <string>
#include <vector>

#include "Vhold_router.h"
#include "Vhold_router___024root.h"
#include "Vvc_router.h"
#include "Vvc_router___024root.h"
#include "models/mesh/port.h"
#include "tensix_vp/rtl/mesh_router_glue.h"

namespace tvp::rtl {

namespace {

/// Adds registers of one byte to a router.
template <typename Verilated>
class WithRegisters : public tensix_vp::rtl::VerilatedMeshRouter<Verilated> {
 public:
  using tensix_vp::rtl::VerilatedMeshRouter<Verilated>::VerilatedMeshRouter;
  std::size_t registers() const override { return registers_.size(); }
  tensix_vp::rtl::Register register_at(std::size_t index) const override {
    const Shown& shown = registers_[index];
    return {.name = shown.name.c_str(), .width = shown.width, .bytes = 1, .data = shown.data};
  }

 protected:
  void show(const std::string& name, unsigned width, const CData& data) {
    registers_.push_back({name, width, &data});
  }

 private:
  struct Shown {
    std::string name;
    unsigned width;
    const CData* data;
  };
  std::vector<Shown> registers_;
};

class HoldRouterRtl : public WithRegisters<Vhold_router> {
 public:
  explicit HoldRouterRtl(const char* instance) : WithRegisters(instance) {
    show("held", mesh::kPorts, verilated_.rootp->hold_router_pins__DOT__router__DOT__held);
    show("owned", mesh::kPorts, verilated_.rootp->hold_router_pins__DOT__router__DOT__owned);
  }
};

class VcRouterRtl : public WithRegisters<Vvc_router> {
 public:
  explicit VcRouterRtl(const char* instance) : WithRegisters(instance) {
    constexpr unsigned kCountBits = 4;
    const auto& root = *verilated_.rootp;
    for (unsigned i = 0; i < mesh::kPorts * kVcs; ++i) {
      const std::string channel = std::string(mesh::name_of(static_cast<mesh::Port>(i / kVcs))) +
                                  "_vc" + std::to_string(i % kVcs);
      show("buffered_" + channel, kCountBits, root.vc_router_pins__DOT__router__DOT__count[i]);
      show("credits_" + channel, kCountBits, root.vc_router_pins__DOT__router__DOT__credits[i]);
    }
  }
};

}  // namespace

const tensix_vp::rtl::MeshRouterModule& verilated_hold_router() {
  return *tensix_vp::rtl::mesh_router_module<HoldRouterRtl>("hold_router");
}

const tensix_vp::rtl::MeshRouterModule& verilated_vc_router() {
  return *tensix_vp::rtl::mesh_router_module<VcRouterRtl>("vc_router");
}

}  // namespace tvp::rtl
