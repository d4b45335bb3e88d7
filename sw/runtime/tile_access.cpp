#include "sw/runtime/tile_access.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

constexpr std::uint32_t kVendorAndDevice = 0x401E1E52;  // Tenstorrent, Wormhole
constexpr std::uint32_t kBar0Low = 0x10;
constexpr std::uint32_t kBar0High = 0x14;

// The 20 windows of 16 MiB follow 156 of 1 MiB and 10 of 2 MiB.
constexpr std::uint32_t kWindowBits = 24;
constexpr std::uint64_t kWindowBytes = 1ULL << kWindowBits;
constexpr std::uint64_t kFirstWindow = 0x0B000000;
constexpr std::uint32_t kFirstWindowIndex = 156 + 10;
constexpr std::uint64_t kConfiguration = 0x1FC00000;
constexpr std::uint64_t kRegisters = 0xFF000000;  // of a tile's cores and NIUs

constexpr std::uint64_t window_configuration(CoreCoord noc0, std::uint64_t address) {
  constexpr std::uint32_t kOffsetBits = 36 - kWindowBits;
  return address >> kWindowBits | std::uint64_t{noc0.x} << kOffsetBits |
         std::uint64_t{noc0.y} << (kOffsetBits + 6) | 1ULL << (kOffsetBits + 29);  // static VC
}

}  // namespace

TileAccess::TileAccess(DeviceLibrary& library, unsigned pci_device) : library_(library) {
  const std::uint32_t id = library.config_read(pci_device, 0);
  if (id != kVendorAndDevice)
    bad_use("PCI device " + std::to_string(pci_device),
            id == ~0U ? "is not there" : "is not a Wormhole chip");
  const std::uint32_t low = library.config_read(pci_device, kBar0Low);
  bar0_ = low & ~0xFU;
  if ((low & 0x6) == 0x4)  // a 64-bit BAR
    bar0_ |= std::uint64_t{library.config_read(pci_device, kBar0High)} << 32;
}

std::uint64_t TileAccess::map(CoreCoord noc0, std::uint64_t address, std::size_t& available) {
  const std::size_t window = address >= kRegisters && address < (1ULL << 32) ? 1 : 0;
  const std::uint64_t configuration = window_configuration(noc0, address);
  if (configured_[window] != configuration) {
    configured_[window] = configuration;
    library_.write(bar0_ + kConfiguration + (kFirstWindowIndex + window) * 8, &configuration, 8);
  }
  const std::uint64_t offset = address & (kWindowBytes - 1);
  available = kWindowBytes - offset;
  return bar0_ + kFirstWindow + window * kWindowBytes + offset;
}

void TileAccess::read(CoreCoord noc0, std::uint64_t address, void* destination, std::size_t bytes) {
  auto* to = static_cast<std::uint8_t*>(destination);
  while (bytes != 0) {
    std::size_t available = 0;
    const std::uint64_t paddr = map(noc0, address, available);
    const std::size_t part = std::min(bytes, available);
    library_.read(paddr, to, static_cast<std::uint32_t>(part));
    to += part;
    address += part;
    bytes -= part;
  }
  library_.check();
}

void TileAccess::write(CoreCoord noc0, std::uint64_t address, const void* source,
                       std::size_t bytes) {
  const auto* from = static_cast<const std::uint8_t*>(source);
  while (bytes != 0) {
    std::size_t available = 0;
    const std::uint64_t paddr = map(noc0, address, available);
    const std::size_t part = std::min(bytes, available);
    library_.write(paddr, from, static_cast<std::uint32_t>(part));
    from += part;
    address += part;
    bytes -= part;
  }
  library_.check();
}

std::uint32_t TileAccess::read32(CoreCoord noc0, std::uint64_t address) {
  return read_object<std::uint32_t>(noc0, address);
}

void TileAccess::write32(CoreCoord noc0, std::uint64_t address, std::uint32_t value) {
  write_object(noc0, address, value);
}

}  // namespace tvp::runtime
