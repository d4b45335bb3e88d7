#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "foundation/chip/chip_spec.h"
#include "models/noc/endpoint.h"

namespace tvp::platform {

/// The buffers that a host has in the DRAM of a chip, each in the same range of all banks, and who
/// reaches beyond them. Nothing in hardware knows of buffers.
class DramBuffers {
 public:
  struct Buffer {
    std::uint64_t bank_bytes = 0;  ///< in each bank
    /// Pages go round the banks, one to each; 0: no pages, but any bytes of the range.
    std::uint32_t pages = 0;
    std::uint32_t page_bytes = 0;  ///< from a page of a bank to the next
    std::uint32_t banks = 0;
  };

  explicit DramBuffers(const foundation::ChipSpec& spec) : spec_(spec) {}

  /// From this address of each bank on, instead of what was there; none without bytes.
  void set(std::uint64_t address, const Buffer& buffer);

  /// How often they have changed.
  std::uint64_t changes() const { return changes_; }

  /// What [address, address + bytes) of a DRAM tile is that lies in no page of a buffer; empty if
  /// it does, and as long as the host has none.
  std::string beyond(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) const;

 private:
  struct Place {
    unsigned bank;
    std::uint64_t address;  ///< in the bank
  };
  Place place_of(noc::Node noc0, std::uint64_t address) const;
  std::string beyond_at(const Place& at) const;

  const foundation::ChipSpec& spec_;
  std::map<std::uint64_t, Buffer> buffers_;  ///< by address in a bank
  std::uint64_t changes_ = 0;
};

}  // namespace tvp::platform
