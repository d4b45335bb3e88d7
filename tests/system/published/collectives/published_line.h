#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

inline constexpr unsigned kChips = 4;
inline constexpr std::uint32_t kPayload = contract::fabric::kDefaultMaxPayloadBytes;

/// Published kernels of collectives over a line of four chips with running routers.
class PublishedLine : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* home = std::getenv("TT_METAL_HOME"); home == nullptr || *home == 0)
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal";
    library_ = DeviceLibrary::open(TVP_LIBRARY);
    library_->configure("system=quad_ring");
    mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
    line_ = make_line();
    line_->start();
  }
  virtual std::unique_ptr<FabricLine> make_line() {
    return std::make_unique<FabricLine>(*mesh_, kChips, kPayload);
  }
  void TearDown() override {
    if (line_) line_->stop();
  }

  std::unique_ptr<DeviceLibrary> library_;
  std::unique_ptr<MeshDevice> mesh_;
  std::unique_ptr<FabricLine> line_;
};

}  // namespace tvp::runtime
