#pragma once

namespace tvp::pim {

/// The numbering of units, chips and ranks, which is contiguous through the system.
struct TierGeometry {
  unsigned banks;  ///< number in a chip, each with a unit
  unsigned chips_of_rank;
  unsigned ranks_of_channel;

  unsigned chip_of(unsigned unit) const { return unit / banks; }
  unsigned bank_of(unsigned unit) const { return unit % banks; }
  unsigned rank_of(unsigned chip) const { return chip / chips_of_rank; }
  unsigned in_rank(unsigned chip) const { return chip % chips_of_rank; }
  unsigned first_chip(unsigned rank) const { return rank * chips_of_rank; }
  unsigned channel_of(unsigned rank) const { return rank / ranks_of_channel; }
  unsigned in_channel(unsigned rank) const { return rank % ranks_of_channel; }
  unsigned rank_of_unit(unsigned unit) const { return rank_of(chip_of(unit)); }
  /// The unit with the same number in another chip (numbered within the rank) of the same rank.
  unsigned peer(unsigned unit, unsigned chip) const {
    return (first_chip(rank_of_unit(unit)) + chip) * banks + bank_of(unit);
  }
};

}  // namespace tvp::pim
