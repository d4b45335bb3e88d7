#pragma once

#include <random>

#include "tests/support/sharding_trial.h"

namespace tvp::test {

/// Random trials with eight devices in a mesh of 1 x 8, 2 x 4, 4 x 2 or 8 x 1.

/// Trials that a ShardedBufferConfig can express.
Trial random_config_trial(std::mt19937& random);
/// Cuts of any dimensions among any axes, even or uneven.
Trial random_any_trial(std::mt19937& random);

// Trials that it cannot express, by reason.
Trial random_uneven_trial(std::mt19937& random);
Trial random_strided_trial(std::mt19937& random);
Trial random_disordered_trial(std::mt19937& random);

/// Chooses DRAM or L1, interleaved or sharded over cores or banks, with pages that fit the shard.
void choose_layout(Trial& trial, std::mt19937& random);

/// A random number from `least` to `most`.
inline std::uint32_t draw(std::mt19937& random, std::uint32_t least, std::uint32_t most) {
  return least + static_cast<std::uint32_t>(random() % (most - least + 1));
}

}  // namespace tvp::test
