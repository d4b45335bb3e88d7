#pragma once

#include <cstdint>

namespace tensix_vp::rtl {

/// The pins of a device with registers. A word moves at each clock edge at which `valid` and
/// `ready` are both set. The inputs stay constant until then.
struct BusDevicePins {
  std::uint8_t clk = 0;
  std::uint8_t rst = 0;
  std::uint8_t valid = 0;
  std::uint32_t addr = 0;  ///< multiple of 4
  std::uint32_t wdata = 0;
  std::uint8_t wstrb = 0;   ///< a bit for each byte to write; 0 for a read
  std::uint8_t ready = 0;   ///< output
  std::uint32_t rdata = 0;  ///< output
};

/// A device in RTL: what make_NAME() of tensix_vp_add_rtl(KIND bus_device) returns.
class BusDevice {
 public:
  BusDevice() = default;
  BusDevice(const BusDevice&) = delete;
  BusDevice& operator=(const BusDevice&) = delete;
  virtual ~BusDevice() = default;
  /// Reads the inputs and sets the outputs.
  virtual void eval(BusDevicePins& pins) = 0;
};

}  // namespace tensix_vp::rtl
