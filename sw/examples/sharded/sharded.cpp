// Squares a matrix that lies in the L1 of six cores, a block of it in each: nothing is moved.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "sw/runtime/bfloat16.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kSide = 32;  // side of a tile
constexpr std::uint32_t kTileBytes = kSide * kSide * sizeof(bfloat16);
constexpr Extent kMatrix{4, 6};  // rows and columns of tiles
constexpr Extent kShard{2, 2};
constexpr std::uint32_t kTilesPerShard = kShard[0] * kShard[1];

constexpr std::uint8_t kNumbers = 0;  // circular buffers, as in the kernels
constexpr std::uint8_t kSquares = 16;

std::vector<std::uint8_t> bytes_of(const std::vector<bfloat16>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(bfloat16));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

int square() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  // Three columns and two rows of cores, for as many columns and rows of shards.
  const CoreRangeSet cores = CoreRange({1, 1}, {3, 2});
  const ShardedBufferConfig in_blocks{
      .size = kMatrix[0] * kMatrix[1] * kTileBytes,
      .page_size = kTileBytes,
      .buffer_layout = TensorMemoryLayout::BLOCK_SHARDED,
      .shard_parameters = ShardSpecBuffer(cores, {kShard[0] * kSide, kShard[1] * kSide},
                                          ShardOrientation::ROW_MAJOR, {kSide, kSide}, kMatrix)};
  const auto numbers = CreateBuffer(mesh, in_blocks);
  const auto squares = CreateBuffer(mesh, in_blocks);
  // The order of numbers within a tile does not matter here.
  std::vector<bfloat16> matrix(kMatrix[0] * kMatrix[1] * kSide * kSide);
  std::vector<bfloat16> golden(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const std::size_t tile = i / (kSide * kSide);
    matrix[i] = static_cast<float>(tile) - 9;
    golden[i] = matrix[i] * matrix[i];
  }
  numbers->write(0, bytes_of(matrix));

  Program program = CreateProgram();
  const auto over = [&](std::uint8_t cb, const MeshBuffer& buffer) {
    CircularBufferConfig config(kTilesPerShard * kTileBytes, {{cb, DataFormat::Float16_b}});
    config.set_page_size(cb, kTileBytes).set_globally_allocated_address(buffer);
    CreateCircularBuffer(program, cores, config);
  };
  over(kNumbers, *numbers);
  over(kSquares, *squares);
  const auto announce = CreateKernel(program, KERNELS "announce.cpp", cores, DataMovementConfig{});
  const auto compute = CreateKernel(program, KERNELS "square.cpp", cores,
                                    ComputeConfig{.math_fidelity = MathFidelity::HiFi4});
  SetRuntimeArgs(program, announce, cores, {kTilesPerShard});
  SetRuntimeArgs(program, compute, cores, {kTilesPerShard});
  mesh.run(0, program);

  const auto times = mesh.run_times(0, mesh.device(0).worker({1, 1}));
  const std::string wrong = squares->difference(0, bytes_of(golden));
  std::printf("sharded: %u tiles on %u cores in %llu cycles: %s\n", kMatrix[0] * kMatrix[1],
              cores.num_cores(), static_cast<unsigned long long>(times.done - times.go),
              wrong.empty() ? "as they should be" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return square();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sharded: %s\n", error.what());
    return 2;
  }
}
