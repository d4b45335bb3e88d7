#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/devices/tile_access.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

/// A core that runs firmware, with its identification for host, kernels and reports.
struct CoreId {
  bool ethernet = false;
  CoreCoord logical;  ///< worker grid, or (0, channel)
  CoreCoord noc0;
  auto operator<=>(const CoreId&) const = default;
};

/// One chip from the host's side: its layout and its tiles' memories.
class Device {
 public:
  /// `index`: position in the mesh; `chip`: number in the system.
  Device(DeviceLibrary& library, unsigned index, unsigned chip, unsigned pci_device,
         const ChipLayout& layout)
      : index_(index),
        chip_(chip),
        layout_(layout),
        tiles_(library, pci_device, layout.spec(), layout.harvested()) {}

  unsigned index() const { return index_; }
  unsigned chip() const { return chip_; }
  const ChipLayout& layout() const { return layout_; }
  TileAccess& tiles() { return tiles_; }

  CoreId worker(CoreCoord logical) const { return {false, logical, layout_.worker_noc0(logical)}; }
  CoreId ethernet(std::uint32_t channel) const {
    return {true, {0, channel}, layout_.ethernet_noc0(channel)};
  }

  /// Columns and rows of the workers, under both of tt-metal's names.
  CoreCoord logical_grid_size() const { return layout_.grid_size(); }
  CoreCoord compute_with_storage_grid_size() const { return layout_.grid_size(); }

  // Coordinates that kernels of this device use.
  CoreCoord worker_core_from_logical_core(CoreCoord logical) const {
    return layout_.worker_virtual(logical);
  }
  CoreCoord ethernet_core_from_channel(std::uint32_t channel) const {
    return layout_.ethernet_virtual(channel);
  }

  // Access L1 of a worker in no simulated time. They throw Fault(kDescription) beyond its end.
  void write_l1(CoreCoord worker_core, std::uint32_t address, const void* source,
                std::size_t bytes) {
    check_l1(address, bytes);
    tiles_.write(layout_.worker_noc0(worker_core), address, source, bytes);
  }
  void read_l1(CoreCoord worker_core, std::uint32_t address, void* destination, std::size_t bytes) {
    check_l1(address, bytes);
    tiles_.read(layout_.worker_noc0(worker_core), address, destination, bytes);
  }

  // Access a bank of DRAM in no simulated time. They throw Fault(kDescription) for an unknown bank
  // or beyond its end.
  void write_dram(std::uint32_t bank, std::uint64_t address, const void* source,
                  std::size_t bytes) {
    check_dram(bank, address, bytes);
    tiles_.write(layout_.dram_noc0(bank), layout_.dram_offset(bank) + address, source, bytes);
  }
  void read_dram(std::uint32_t bank, std::uint64_t address, void* destination, std::size_t bytes) {
    check_dram(bank, address, bytes);
    tiles_.read(layout_.dram_noc0(bank), layout_.dram_offset(bank) + address, destination, bytes);
  }

  void check_dram(std::uint32_t bank, std::uint64_t address, std::size_t bytes) const {
    if (bank >= layout_.dram_banks())
      bad_use("DRAM", "has no bank " + std::to_string(bank) + "; expected less than " +
                          std::to_string(layout_.dram_banks()));
    const std::uint64_t has = layout_.dram_bank_bytes();
    if (address > has || bytes > has - address)
      bad_use("DRAM", std::to_string(bytes) + " bytes at " + std::to_string(address) +
                          "; expected no more than the " + std::to_string(has) +
                          " bytes of a bank");
  }
  void check_l1(std::uint32_t address, std::size_t bytes) const {
    const std::size_t has = layout_.spec().memories.tensix_l1_bytes;
    if (address > has || bytes > has - address)
      bad_use("L1", std::to_string(bytes) + " bytes at " + std::to_string(address) +
                        "; expected no more than the " + std::to_string(has) + " bytes of L1");
  }

 private:
  unsigned index_;
  unsigned chip_;
  ChipLayout layout_;
  TileAccess tiles_;
};

}  // namespace tvp::runtime
