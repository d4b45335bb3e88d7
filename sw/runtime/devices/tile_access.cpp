#include "sw/runtime/devices/tile_access.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

constexpr std::uint32_t kBar0Low = 0x10;
constexpr std::uint32_t kBar0High = 0x14;
constexpr unsigned kAddressBits = 36;
constexpr std::uint64_t kRegisters = 0xFF000000;  // registers of a tile's cores and NIUs

std::uint64_t window_configuration(CoreCoord noc0, std::uint64_t address, unsigned window_bits) {
  const unsigned offset_bits = kAddressBits - window_bits;
  return address >> window_bits | std::uint64_t{noc0.x} << offset_bits |
         std::uint64_t{noc0.y} << (offset_bits + 6) | 1ULL << (offset_bits + 29);  // static VC
}

}  // namespace

TileAccess::TileAccess(DeviceLibrary& library, unsigned pci_device,
                       const foundation::ChipSpec& spec, foundation::Harvested harvested)
    : library_(library),
      coordinates_(spec, harvested),
      all_translated_(spec.first_translated == 0),
      window_registers_(spec.bars.window_registers) {
  const std::uint32_t id = library.config_read(pci_device, 0);
  if (id != (spec.bars.device << 16 | spec.bars.vendor))
    bad_use("PCI device " + std::to_string(pci_device),
            id == ~0U ? "is not there: " + library.name() + " has fewer of them than the system"
                      : "is not a chip of kind " + spec.name);
  const std::uint32_t low = library.config_read(pci_device, kBar0Low);
  bar0_ = low & ~0xFU;
  if ((low & 0x6) == 0x4)  // a 64-bit BAR
    bar0_ |= std::uint64_t{library.config_read(pci_device, kBar0High)} << 32;
  // The largest windows of which there are enough.
  std::uint64_t offset = 0;
  unsigned index = 0;
  for (const foundation::WindowGroup& group : spec.bars.windows) {
    if (group.count >= configured_.size() && group.size_log2 > window_bits_) {
      window_bits_ = group.size_log2;
      first_window_ = offset;
      first_index_ = index;
    }
    offset += std::uint64_t{group.count} << group.size_log2;
    index += group.count;
  }
  if (window_bits_ == 0)
    bad_use(spec.place_of("pcie.windows"), "expected two windows of one size or more");
}

std::uint64_t TileAccess::map(CoreCoord noc0, std::uint64_t address, std::size_t& available) {
  if (all_translated_) {
    const foundation::ChipNode name = coordinates_.translated({noc0.x, noc0.y});
    noc0 = {name.x, name.y};
  }
  const std::size_t window = address >= kRegisters && address < (1ULL << 32) ? 1 : 0;
  const std::uint64_t configuration = window_configuration(noc0, address, window_bits_);
  if (configured_[window] != configuration) {
    configured_[window] = configuration;
    library_.write(bar0_ + window_registers_ + (first_index_ + window) * 8, &configuration, 8);
  }
  const std::uint64_t window_bytes = 1ULL << window_bits_;
  const std::uint64_t offset = address & (window_bytes - 1);
  available = window_bytes - offset;
  return bar0_ + first_window_ + window * window_bytes + offset;
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
