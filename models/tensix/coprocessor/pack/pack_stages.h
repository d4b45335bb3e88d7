#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/pack/pack_conversion.h"

namespace tvp::tensix::coprocessor {

/// The settings that are equal for all datums of an instruction and packer.
struct PackStages {
  using Words = std::array<std::uint32_t, BackendConfig::kBankWords>;

  PackStages(unsigned packer_index, const Words& bank_words);

  static constexpr std::uint32_t kKeepAll = 0xFFFF;  ///< downsampling mask

  unsigned packer;
  const Words& words;
  PackFormats formats;
  EarlyConversion early;
  LateConversion late;
  Relu relu;
  std::uint32_t downsample;
  unsigned reads_per_xy_plane;
  bool yz_transposed;
  bool thresholding;
  std::uint32_t threshold;
  std::uint32_t masked;  ///< value that replaces a masked datum
  bool histogram = false;
  bool whole_rows;  ///< neither edge masking nor downsampling omits a datum
};

}  // namespace tvp::tensix::coprocessor
