#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "foundation/chip/coordinates.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// Memory and registers of the tiles of one chip, through TLB windows of its BAR 0
/// (ISA PCIExpressTile/TLBs.md).
class TileAccess {
 public:
  /// Throws Fault(kDescription) when the chip does not answer as such a chip, or has too few
  /// windows of one size.
  TileAccess(DeviceLibrary& library, unsigned pci_device, const foundation::ChipSpec& spec,
             foundation::Harvested harvested = {});

  /// `address` is the 36-bit one of the tile at `noc0`.
  void read(CoreCoord noc0, std::uint64_t address, void* destination, std::size_t bytes);
  void write(CoreCoord noc0, std::uint64_t address, const void* source, std::size_t bytes);

  std::uint32_t read32(CoreCoord noc0, std::uint64_t address);
  void write32(CoreCoord noc0, std::uint64_t address, std::uint32_t value);
  template <typename T>
  T read_object(CoreCoord noc0, std::uint64_t address) {
    T object;
    read(noc0, address, &object, sizeof(T));
    return object;
  }
  template <typename T>
  void write_object(CoreCoord noc0, std::uint64_t address, const T& object) {
    write(noc0, address, &object, sizeof(T));
  }

 private:
  /// Points a window at `address` of the tile; the paddr of `address` in it, and how many bytes
  /// follow there.
  std::uint64_t map(CoreCoord noc0, std::uint64_t address, std::size_t& available);

  DeviceLibrary& library_;
  const foundation::Coordinates coordinates_;
  const bool all_translated_;  ///< windows take translated coordinates only
  std::uint64_t bar0_ = 0;
  std::uint64_t window_registers_ = 0;
  std::uint64_t first_window_ = 0;  ///< offset of the windows in use
  unsigned first_index_ = 0;        ///< and the number of the first
  unsigned window_bits_ = 0;
  // Two windows, so that alternating between memory and registers changes neither.
  std::array<std::uint64_t, 2> configured_{~0ULL, ~0ULL};
};

}  // namespace tvp::runtime
