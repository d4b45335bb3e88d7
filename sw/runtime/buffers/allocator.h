#pragma once
// Memory of a device under tt-metal's names (tt-metalium/allocator.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/metal_classes.h"

namespace tvp::runtime {

class BankManager;

enum class HalMemType : std::uint8_t { L1 = 0, DRAM = 1, HOST = 2 };

/// Figures of one bank, in bytes.
struct Statistics {
  std::size_t total_allocatable_size_bytes = 0;
  std::size_t total_allocated_bytes = 0;
  std::size_t total_free_bytes = 0;
  std::size_t largest_free_block_bytes = 0;
};

/// A view of the bank managers of a mesh: of all of the memory, or of a sub-device's own L1.
class Allocator {
 public:
  Allocator(const IDevice& device, std::optional<SubDeviceId> sub_device)
      : device_(device), sub_device_(sub_device) {}

  /// Number of banks over which pages of a buffer are spread.
  std::uint32_t get_num_banks(BufferType type) const;
  /// Bytes of a bank that buffers can use.
  std::uint64_t get_bank_size(BufferType type) const;
  /// Start of a bank's memory that firmware does not use. Throws Fault(kDescription) for host
  /// memory. The next functions throw it for an unknown bank.
  std::uint64_t get_base_allocator_addr(HalMemType memory) const;
  std::uint32_t get_alignment(BufferType type) const;
  Statistics get_statistics(BufferType type) const;
  std::size_t get_worker_l1_size() const;
  /// The worker of a bank of L1, and the banks of a worker.
  CoreCoord get_logical_core_from_bank_id(std::uint32_t bank) const;
  std::vector<std::uint32_t> get_bank_ids_from_logical_core(BufferType type, CoreCoord core) const;
  /// Offset that a bank's tile adds to an address.
  std::int32_t get_bank_offset(BufferType type, std::uint32_t bank) const;
  std::uint32_t get_dram_channel_from_bank_id(std::uint32_t bank) const;

  // Functions that tt-metal does not have.
  /// Address of the lowest buffer; nothing if there is none.
  std::optional<std::uint64_t> lowest_l1() const;

 private:
  BankManager& of(BufferType type) const;
  void check_bank(BufferType type, std::uint32_t bank) const;

  const IDevice& device_;
  std::optional<SubDeviceId> sub_device_;
};

}  // namespace tvp::runtime
