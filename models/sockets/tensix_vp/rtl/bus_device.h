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

/// A device in RTL of tensix_vp_add_rtl(KIND bus_device).
class BusDevice {
 public:
  BusDevice() = default;
  BusDevice(const BusDevice&) = delete;
  BusDevice& operator=(const BusDevice&) = delete;
  virtual ~BusDevice() = default;
  /// Reads the inputs and sets the outputs.
  virtual void eval(BusDevicePins& pins) = 0;
};

/// Description that the entry of a library returns.
struct BusDeviceModule {
  static constexpr std::uint32_t kVersion = 1;
  static constexpr const char* kEntry = "tensix_vp_bus_device";

  std::uint32_t version = kVersion;  ///< version of this header
  BusDevice* (*make)() = nullptr;
};

}  // namespace tensix_vp::rtl
