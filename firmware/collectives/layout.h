#pragma once
// The owners of a vector's bytes, and the groups of units that exchange messages.

#include <cstdint>

namespace tvp::firmware::collectives {

/// Vectors are cut at multiples of this, the alignment of DMA engines; they are padded to it.
inline constexpr std::uint32_t kWordBytes = 8;

inline constexpr std::uint32_t kMaxLevels = 4;
inline constexpr std::uint32_t kMaxRanks = 2560;  ///< a server with 20 DIMMs of 128 banks each
inline constexpr std::uint32_t kMaxPhases = 1536;

inline constexpr std::uint16_t kNobody = 0xFFFF;

/// The rank that a unit sends to, and the one that it receives from, between two barriers of a
/// static schedule; kNobody for none.
struct Phase {
  std::uint16_t to = kNobody;
  std::uint16_t from = kNobody;
};

/// The phases of a step, the same number at all units. A step without phases may send all its
/// messages at once: none share a link.
struct Phases {
  const Phase* first = nullptr;
  std::uint32_t count = 0;
};

/// Bytes of a vector.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t bytes = 0;
};

/// A vector, cut into one chunk for each rank; chunk i belongs to rank i. If the number of ranks
/// does not divide the number of words, the first chunks are a word longer.
class Cut {
 public:
  Cut(std::uint32_t bytes, std::uint32_t chunks)
      : short_words_(bytes / kWordBytes / chunks), longer_(bytes / kWordBytes % chunks) {}

  Span chunk(std::uint32_t i) const {
    const std::uint32_t before = i < longer_ ? i : longer_;
    return {(i * short_words_ + before) * kWordBytes,
            (short_words_ + (i < longer_ ? 1 : 0)) * kWordBytes};
  }
  /// Returns the span of several chunks that follow each other.
  Span chunks(std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t begin = chunk(first).begin;
    return {begin, chunk(first + count).begin - begin};
  }
  std::uint32_t largest() const { return (short_words_ + (longer_ != 0 ? 1 : 0)) * kWordBytes; }

 private:
  std::uint32_t short_words_;
  std::uint32_t longer_;
};

/// Part `slice` of a span when slices have `slice_bytes`; empty behind its end.
inline Span slice_of(Span span, std::uint32_t slice, std::uint32_t slice_bytes) {
  const std::uint32_t skipped = slice * slice_bytes;
  if (skipped >= span.bytes) return {span.begin + span.bytes, 0};
  const std::uint32_t left = span.bytes - skipped;
  return {span.begin + skipped, left < slice_bytes ? left : slice_bytes};
}

inline std::uint32_t slices_of(std::uint32_t bytes, std::uint32_t slice_bytes) {
  return (bytes + slice_bytes - 1) / slice_bytes;
}

/// A vector's place in a bank: the byte at `origin` of the vector is at `address`.
struct Place {
  std::uint32_t address = 0;
  std::uint32_t origin = 0;
  std::uint32_t of(Span span) const { return address + (span.begin - origin); }
};

/// Ranks that differ in one digit of a mixed-radix number, e.g. the banks of one chip. Members are
/// numbered from 0 by that digit.
struct Group {
  std::uint32_t size = 1;
  std::uint32_t index = 0;               ///< index of this unit
  std::uint32_t first_rank = 0;          ///< rank of member 0
  std::uint32_t stride = 1;              ///< between the ranks of neighbors
  std::uint32_t all = 1;                 ///< ranks of the collective
  std::uint32_t before = 0;              ///< digits below the group's, the outermost level fastest
  const std::uint16_t* ring = nullptr;   ///< member at each position of the ring
  const std::uint16_t* units = nullptr;  ///< unit of each rank

  std::uint32_t rank(std::uint32_t member) const { return first_rank + member * stride; }
  std::uint32_t unit(std::uint32_t member) const { return units[rank(member)]; }
  std::uint32_t position() const {
    std::uint32_t p = 0;
    while (ring[p] != index) ++p;
    return p;
  }
  /// The first of the `rows` ranks of a member's column. If the digits of rank numbers are
  /// reversed, the ranks of a column are neighbors.
  std::uint32_t first_in_reverse(std::uint32_t member, std::uint32_t rows) const {
    return (before * size + member) * rows;
  }
  /// The number of rows of `size` ranks whose lower digits are those of the group.
  std::uint32_t repeats() const { return all / (stride * size); }
};

/// All levels of the ranks: one level is the flat collective.
struct Levels {
  std::uint32_t count = 1;
  std::uint32_t sizes[kMaxLevels] = {1};
  const std::uint16_t* rings = nullptr;  ///< rings of all levels, one after the other
  const std::uint16_t* units = nullptr;  ///< unit of each rank
  std::uint32_t ranks() const {
    std::uint32_t n = 1;
    for (std::uint32_t l = 0; l < count; ++l) n *= sizes[l];
    return n;
  }
  Group group(std::uint32_t level, std::uint32_t rank) const {
    Group group;
    const std::uint16_t* ring = rings;
    for (std::uint32_t l = 0; l < level; ++l) {
      group.before = group.before * sizes[l] + rank / group.stride % sizes[l];
      group.stride *= sizes[l];
      ring += sizes[l];
    }
    group.size = sizes[level];
    group.index = rank / group.stride % group.size;
    group.first_rank = rank - group.index * group.stride;
    group.all = ranks();
    group.ring = ring;
    group.units = units;
    return group;
  }
};

}  // namespace tvp::firmware::collectives
