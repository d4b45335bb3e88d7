#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"

namespace tvp::host {

/// Outbound address translation of the PCI Express controller (ISA PCIExpressTile/README.md). A
/// chip has 4 GiB of addresses for the host. Up to 16 contiguous regions of them are translated to
/// any 64-bit addresses; other addresses pass unchanged. The registers of a region are those of
/// tt-kmd's wormhole.c, 512 bytes for each region, with those of inbound regions 256 bytes behind.
class OutboundIatu {
 public:
  static constexpr unsigned kRegions = 16;
  static constexpr std::uint32_t kRegionBytes = 0x200;
  static constexpr std::uint32_t kInbound = 0x100;

  enum Register : std::uint32_t {
    kControl1 = 0x00,
    kControl2 = 0x04,  ///< bit 31 enables
    kBaseLow = 0x08,
    kBaseHigh = 0x0C,
    kLimit = 0x10,  ///< last byte; the upper half is that of the base
    kTargetLow = 0x14,
    kTargetHigh = 0x18,
  };
  static constexpr std::uint32_t kEnable = 1U << 31;

  explicit OutboundIatu(std::string where) : where_(std::move(where)) {}

  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);

  /// The translated address of a byte, and the number of bytes (at most `bytes`) that are
  /// contiguous from there.
  struct Target {
    std::uint64_t address;
    std::uint32_t bytes;
  };
  Target translate(std::uint64_t address, std::uint32_t bytes) const;

 private:
  struct Region {
    std::array<std::uint32_t, kTargetHigh / 4 + 1> words{};
    std::uint32_t operator[](Register r) const { return words[r / 4]; }
    bool enabled() const { return ((*this)[kControl2] & kEnable) != 0; }
    std::uint64_t base() const {
      return std::uint64_t{(*this)[kBaseHigh]} << 32 | (*this)[kBaseLow];
    }
    std::uint64_t last() const { return std::uint64_t{(*this)[kBaseHigh]} << 32 | (*this)[kLimit]; }
    std::uint64_t target() const {
      return std::uint64_t{(*this)[kTargetHigh]} << 32 | (*this)[kTargetLow];
    }
  };
  /// Index of an existing register; throws otherwise.
  std::uint32_t register_at(std::uint32_t offset, const char* what) const;

  std::string where_;
  std::array<Region, kRegions> regions_;
};

}  // namespace tvp::host
