#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// The location of a burst.
struct Location {
  unsigned channel = 0;
  unsigned bank = 0;  ///< number within the channel, over ranks, groups and banks
  std::uint64_t row = 0;
  unsigned column = 0;  ///< burst within the row
  bool operator==(const Location&) const = default;
};

/// The meaning of address bits as fields from the most significant bit on, separated by colons:
/// "row:rank:bank:bankgroup:column:channel". The lowest bits select a byte of a burst. A field may
/// be split, as in "row:column:bank:bankgroup:column3". A number after a name is the number of its
/// bits at this place, from its lowest unused bit on; the part without a number takes the rest.
class AddressMapping {
 public:
  /// Throws Fault(kDescription) if a field is unknown, missing, or has the wrong number of bits.
  /// `hash_banks` XORs the bits of group and bank with the lowest bits of the row, which spreads
  /// rows that are a power of two apart.
  AddressMapping(std::string_view fields, const Organization& organization, bool hash_banks);

  Location decode(std::uint64_t address) const;
  /// The first byte of a burst: the inverse of decode.
  std::uint64_t encode(const Location& location) const;
  const Organization& organization() const { return organization_; }
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
