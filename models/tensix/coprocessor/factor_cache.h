#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/datum.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// Rows of Src as sums of products take them.
struct Factors {
  static constexpr unsigned kRows = 16;

  int top = 0;  ///< largest exponent
  /// How far the exponent of each datum is below it; aligned_products.h has the scale.
  alignas(64) std::uint8_t below[kRows][kColumns];
  alignas(64) float value[kRows][kColumns];  ///< relative to 2^top
};

/// Factors of SrcA, which the products of a tile take several times.
class FactorCache {
 public:
  struct Key {
    const void* rows = nullptr;
    std::uint64_t changes = 0;  ///< of their bank
    std::uint32_t mask = 0;     ///< what a fidelity phase takes of a datum
    int shift = 0;
    datum::SrcStyle style{};
    bool operator==(const Key&) const = default;
  };
  struct Found {
    Factors& factors;
    bool made;  ///< otherwise they are to be made now
  };
  Found of(const Key& key) {
    // Blocks of a bank lie side by side.
    const auto place = reinterpret_cast<std::uintptr_t>(key.rows) / kBlockBytes % kBlocks;
    Block& block = blocks_[place];
    const bool made = block.key == key;
    block.key = key;
    return {block.factors, made};
  }

 private:
  static constexpr unsigned kBlocks = SrcBank::kRows / Factors::kRows;
  static constexpr std::uintptr_t kBlockBytes = Factors::kRows * kColumns * sizeof(std::uint32_t);
  struct Block {
    Key key;
    Factors factors;
  };
  std::array<Block, kBlocks> blocks_;
};

}  // namespace tvp::tensix::coprocessor
