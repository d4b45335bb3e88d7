#include "sw/runtime/buffers/allocator.h"

#include <string>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

BankManager& Allocator::of(BufferType type) const {
  const IDevice& mesh = device_;
  if (!sub_device_) return mesh.bank_manager(type);
  if (type != BufferType::L1) bad_use("allocator", "a sub-device has L1 of its own, but no DRAM");
  return mesh.bank_manager(*sub_device_);
}

void Allocator::check_bank(BufferType type, std::uint32_t bank) const {
  if (bank >= get_num_banks(type))
    bad_use("bank " + std::to_string(bank),
            "the memory has " + std::to_string(get_num_banks(type)) + " banks");
}

std::uint32_t Allocator::get_num_banks(BufferType type) const {
  const IDevice& mesh = device_;
  if (type == BufferType::DRAM) return mesh.dram_banks();
  return sub_device_ ? mesh.num_worker_cores(HalProgrammableCoreType::TENSIX, *sub_device_)
                     : mesh.l1_banks();
}

std::uint64_t Allocator::get_bank_size(BufferType type) const {
  return of(type).end() - of(type).base();
}

std::uint64_t Allocator::get_base_allocator_addr(HalMemType memory) const {
  if (memory == HalMemType::DRAM) return of(BufferType::DRAM).base();
  if (memory != HalMemType::L1) bad_use("allocator", "host memory has no allocator");
  // Also below the L1 of sub-devices.
  return sub_device_ ? of(BufferType::L1).base() : contract::kL1UnreservedBase;
}

std::uint32_t Allocator::get_alignment(BufferType type) const {
  return type == BufferType::DRAM ? static_cast<std::uint32_t>(of(type).alignment()) : 16;
}

Statistics Allocator::get_statistics(BufferType type) const {
  const BankManager& banks = of(type);
  const std::size_t all = banks.end() - banks.base(), used = banks.used();
  return {all, used, all - used, banks.largest_room()};
}

std::size_t Allocator::get_worker_l1_size() const { return device_.l1_size_per_core(); }

CoreCoord Allocator::get_logical_core_from_bank_id(std::uint32_t bank) const {
  if (sub_device_) bad_use("allocator", "L1 of a sub-device is not interleaved over banks");
  check_bank(BufferType::L1, bank);
  const std::uint32_t columns = device_.logical_grid_size().x;
  return {bank % columns, bank / columns};
}

std::vector<std::uint32_t> Allocator::get_bank_ids_from_logical_core(BufferType type,
                                                                     CoreCoord core) const {
  const bool dram = type == BufferType::DRAM;
  const CoreCoord grid = dram ? device_.dram_grid_size() : device_.logical_grid_size();
  if (core.x >= grid.x || core.y >= grid.y)
    bad_use("core " + core.str(), "is no bank: they are " + grid.str());
  const std::uint32_t bank = core.y * grid.x + core.x;
  check_bank(type, bank);
  return {bank};
}

std::int32_t Allocator::get_bank_offset(BufferType type, std::uint32_t bank) const {
  check_bank(type, bank);
  if (type == BufferType::L1) return 0;
  return static_cast<std::int32_t>(device_.device(0).layout().dram_offset(bank));
}

std::uint32_t Allocator::get_dram_channel_from_bank_id(std::uint32_t bank) const {
  check_bank(BufferType::DRAM, bank);
  return bank;
}

std::optional<std::uint64_t> Allocator::lowest_l1() const {
  const auto& l1 = of(BufferType::L1);
  if (!l1.in_use()) return std::nullopt;
  return l1.lowest();
}

}  // namespace tvp::runtime
