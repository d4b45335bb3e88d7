#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// Where a burst is.
struct Location {
  unsigned channel = 0;
  unsigned bank = 0;  ///< flat over ranks, groups and banks of its channel
  std::uint64_t row = 0;
  unsigned column = 0;  ///< burst within the row
  bool operator==(const Location&) const = default;
};

/// Which bits of an address select what: fields from the most significant bit on, separated by
/// colons, as in "row:rank:bank:bankgroup:column:channel". Bits below a burst are below the last
/// field. A field may come in parts: a number after its name is how many of its bits, from the
/// lowest free one on, are there ("row:column:bank:bankgroup:column3"); the part without a number
/// takes the rest.
class AddressMapping {
 public:
  /// Throws Fault(kDescription) when a field is unknown, missing, or does not have its bits.
  /// `hash_banks` exclusive-ors the bits of group and bank with the lowest ones of the row, which
  /// spreads rows that are a power of two apart.
  AddressMapping(std::string_view fields, const Organization& organization, bool hash_banks);

  Location decode(std::uint64_t address) const;
  /// The first byte of a burst: the inverse of decode.
  std::uint64_t encode(const Location& location) const;
  std::uint64_t bytes() const { return std::uint64_t{1} << address_bits_; }
  unsigned burst_bytes() const { return 1U << burst_bits_; }

 private:
  enum Field : unsigned { kChannel, kRank, kGroup, kBank, kRow, kColumn, kFields };
  struct Part {
    Field field;
    unsigned from;  ///< lowest bit in the address
    unsigned to;    ///< lowest bit in the field
    std::uint64_t mask;
  };
  void parse(std::string_view fields);
  void add(Field field, unsigned bits);
  unsigned hash(std::uint64_t row) const;

  const Organization organization_;
  const bool hash_banks_;
  std::vector<Part> parts_;  ///< from the lowest bit on
  unsigned width_[kFields] = {};
  unsigned used_[kFields] = {};
  unsigned burst_bits_ = 0;
  unsigned address_bits_ = 0;
};

}  // namespace tvp::dram
