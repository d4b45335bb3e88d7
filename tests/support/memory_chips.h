#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::test {

/// Chips behind the C ABI that only have memory: windows of BAR 0, L1 of workers and channels of
/// DRAM.
/// They are stricter than the models. A window must be set before use, an access must not be empty
/// or leave its window, and a tile has L1 only. A refused access stops the chips as a fault stops a
/// simulation. Unwritten memory holds noise.
class MemoryChips {
 public:
  /// Only one object may exist, since its functions find it through a global pointer.
  /// `harvested_rows`: one mask per chip, in the telemetry's order of bits.
  MemoryChips(const foundation::ChipSpec& spec, std::vector<std::uint32_t> harvested_rows);
  ~MemoryChips();
  MemoryChips(const MemoryChips&) = delete;
  MemoryChips& operator=(const MemoryChips&) = delete;

  static runtime::DeviceLibrary::Functions functions();

  /// The bytes of a DRAM channel, for writes through any endpoint.
  std::uint8_t dram(unsigned chip, std::size_t channel, std::uint64_t address);
  std::uint8_t l1(unsigned chip, unsigned x, unsigned y, std::uint64_t address);
  /// Number of memory accesses so far.
  std::uint64_t accesses() const { return accesses_; }
  const std::string& error() const { return error_; }

 private:
  static constexpr std::uint64_t kPage = 4096;
  using Page = std::array<std::uint8_t, kPage>;
  /// Key of an address space: chip, true for DRAM, channel or x, 0 or y.
  using Memory = std::tuple<unsigned, bool, unsigned, unsigned>;

  std::uint32_t config(std::uint32_t bdf, std::uint32_t offset) const;
  void access(std::uint64_t paddr, std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes);
  void window(unsigned chip, std::uint64_t offset, std::uint8_t* to, const std::uint8_t* from,
              std::uint32_t bytes);
  void tile(unsigned chip, unsigned x, unsigned y, std::uint64_t address, std::uint8_t* to,
            const std::uint8_t* from, std::uint32_t bytes);
  void copy(const Memory& memory, std::uint64_t address, std::uint8_t* to, const std::uint8_t* from,
            std::uint32_t bytes);
  Page& page(const Memory& memory, std::uint64_t number);
  void refuse(const std::string& why);

  const foundation::ChipSpec& spec_;
  std::vector<std::uint32_t> harvested_;
  std::string system_;
  std::map<std::pair<unsigned, unsigned>, std::uint64_t>
      windows_;  ///< only windows that have been set
  std::map<std::pair<Memory, std::uint64_t>, std::unique_ptr<Page>> pages_;
  std::uint64_t accesses_ = 0;
  std::string error_;
  static MemoryChips* self_;
};

}  // namespace tvp::test
