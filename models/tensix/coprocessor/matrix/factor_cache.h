#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/datum.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// Rows of Src in the form that sums of products use: sixteen of SrcA, eight of SrcB.
template <unsigned kRowCount>
struct Factors {
  static constexpr unsigned kRows = kRowCount;

  int top = 0;  ///< largest exponent
  /// Distance of the exponent of each datum from it; aligned_products.h has the scale.
  alignas(64) std::uint8_t below[kRows][kColumns];
  alignas(64) float value[kRows][kColumns];  ///< relative to 2^top
};

/// The rows of a bank that a fidelity phase uses.
struct FactorKey {
  const void* rows = nullptr;  ///< the first one
  std::uint64_t changes = 0;   ///< change counter of the bank
  std::uint32_t mask = 0;      ///< used bits of a datum
  bool implicit_one = false;
  datum::SrcStyle style{};
  bool operator==(const FactorKey&) const = default;
};

/// Cache of the factors of a file, since the products of a tile use them several times.
template <unsigned kRowCount>
class FactorCache {
 public:
  struct Found {
    Factors<kRowCount>& factors;
    bool made;  ///< false: the caller must make them
  };
  Found of(const FactorKey& key) {
    // Blocks of a bank are contiguous; phases use either half of a datum.
    const auto block = reinterpret_cast<std::uintptr_t>(key.rows) / kBlockBytes % kBlocks;
    Place& place = places_[key.implicit_one][block];
    const bool made = place.key == key;
    place.key = key;
    return {place.factors, made};
  }

 private:
  static constexpr unsigned kBlocks = SrcBank::kRows / kRowCount;
  static constexpr std::uintptr_t kBlockBytes = kRowCount * kColumns * sizeof(std::uint32_t);
  struct Place {
    FactorKey key;
    Factors<kRowCount> factors;
  };
  std::array<std::array<Place, kBlocks>, 2> places_;
};

}  // namespace tvp::tensix::coprocessor
