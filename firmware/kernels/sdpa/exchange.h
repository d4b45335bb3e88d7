#pragma once

// The exchanges of the SDPA reduction on a ring of 2^n devices. Freestanding.

#include <stdint.h>

namespace tvp::kernels::sdpa {

// In every round two groups of devices merge, and each device of one group exchanges its partial
// result with a device of the other. Rounds are counted from 1. Even positions send forward (to the
// next position) in odd rounds and backward in even ones, odd positions the other way. Positions 2q
// and 2q + 1 merge in round 1. Group g after round r > 1 holds the pairs with q mod (devices / 2^r)
// = g. Groups never overlap, so all devices merge in one order and get the same bits. With shorter
// ways (1, 1, 3, 5, 11 links: De Sensi et al., Swing, NSDI 2024) groups of more than four devices
// overlap, and devices get different bits.

constexpr uint32_t kMaxDevices = 32;

constexpr bool is_ring_size(uint32_t devices) {
  return devices >= 2 && devices <= kMaxDevices && (devices & (devices - 1)) == 0;
}

constexpr uint32_t rounds_of(uint32_t devices) {
  uint32_t rounds = 0;
  while ((2U << rounds) <= devices) ++rounds;
  return rounds;
}

/// Links between partners: 1, then devices / 2 - 1, devices / 4 + 1, devices / 8 - 1, ...
constexpr uint32_t hops(uint32_t devices, uint32_t round) {
  if (round == 1) return 1;
  const uint32_t half = devices >> (round - 1);
  return round % 2 == 0 ? half - 1 : half + 1;
}

constexpr bool sends_to_next(uint32_t position, uint32_t round) {
  return position % 2 != round % 2;
}

constexpr uint32_t partner(uint32_t devices, uint32_t position, uint32_t round) {
  const uint32_t distance = hops(devices, round);
  return (position + (sends_to_next(position, round) ? distance : devices - distance)) % devices;
}

/// True if the device's own operand comes before its partner's.
constexpr bool local_first(uint32_t devices, uint32_t position, uint32_t round) {
  if (round == 1) return position % 2 == 0;
  return position / 2 % (devices >> (round - 1)) < devices >> round;
}

}  // namespace tvp::kernels::sdpa
