#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/firmware/compute_bench.h"
#include "tests/firmware/programs/ops.h"
#include "tests/firmware/tile_data.h"

namespace tvp::test {

// Runs programs/ops.cpp on the models of the coprocessor.

TVP_DECLARE_PROGRAM(ops_tiny_fp32);
TVP_DECLARE_PROGRAM(ops_tiny_bf16);
TVP_DECLARE_PROGRAM(ops_full_fp32);
TVP_DECLARE_PROGRAM(ops_full_bf16);

inline const Variant kVariants[] = {
    {"8x32, FP32 in Dst", 8, true, TVP_PROGRAM_OF(ops_tiny_fp32)},
    {"8x32, BF16 in Dst", 8, false, TVP_PROGRAM_OF(ops_tiny_bf16)},
    {"32x32, FP32 in Dst", 32, true, TVP_PROGRAM_OF(ops_full_fp32)},
    {"32x32, BF16 in Dst", 32, false, TVP_PROGRAM_OF(ops_full_bf16)},
};

inline constexpr std::uint32_t kAddressA = 0x20000;
inline constexpr std::uint32_t kAddressB = 0x30000;
inline constexpr std::uint32_t kAddressOut = 0x40000;

inline ComputeBench& bench() {
  static ComputeBench instance;
  return instance;
}

/// Runs one operation on `a` and `b`. Returns the results as the packers wrote them.
inline std::vector<Tile> run(const Variant& variant, OpParameters parameters,
                             const std::vector<Tile>& a, const std::vector<Tile>& b) {
  const std::uint32_t bytes = variant.rows * 64;
  const bool fp32_out = parameters.out == 18;
  const std::uint32_t out_bytes = fp32_out ? 2 * bytes : bytes;
  const auto tiles = static_cast<unsigned>(a.size());
  parameters.tiles = tiles;
  op_parameters = parameters;
  ComputeBench& machine = bench();
  for (unsigned i = 0; i < tiles; ++i) {
    a[i].write_bf16(machine.l1() + kAddressA + i * bytes);
    b[i].write_bf16(machine.l1() + kAddressB + i * bytes);
  }
  std::memset(machine.l1() + kAddressOut, 0xA5, tiles * out_bytes + 64);
  machine.buffer(variant.program, 0, kAddressA, bytes, tiles, tiles);
  machine.buffer(variant.program, 1, kAddressB, bytes, tiles, tiles);
  machine.buffer(variant.program, parameters.out, kAddressOut, out_bytes, tiles, 0);
  EXPECT_TRUE(machine.execute(variant.program)) << machine.waiting();
  EXPECT_EQ(machine.received(parameters.out), tiles);
  EXPECT_EQ(machine.acked(0), tiles);
  for (unsigned i = 0; i < 64; ++i)  // checks for writes after the last tile
    EXPECT_EQ(machine.l1()[kAddressOut + tiles * out_bytes + i], 0xA5);
  std::vector<Tile> results;
  for (unsigned i = 0; i < tiles; ++i) {
    const std::uint8_t* at = machine.l1() + kAddressOut + i * out_bytes;
    results.push_back(fp32_out ? Tile::read_fp32(variant.rows, at)
                               : Tile::read_bf16(variant.rows, at));
  }
  return results;
}

class Values {
 public:
  explicit Values(unsigned seed) : engine_(seed) {}
  /// Uniform, exactly representable in BF16.
  float next(double low, double high) {
    return workloads::sdpa::round_bf16(std::uniform_real_distribution<double>(low, high)(engine_));
  }
  std::vector<Tile> tiles(unsigned rows, unsigned count, double low, double high) {
    std::vector<Tile> result(count, Tile(rows));
    for (Tile& tile : result)
      for (float& value : tile.values) value = next(low, high);
    return result;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace tvp::test
