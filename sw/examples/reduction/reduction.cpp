// Sums the rows of a matrix on one Tensix core.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "sw/runtime/bfloat16.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"
#include "sw/runtime/tilize_utils.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kSide = 32;  // side of a tile
constexpr std::uint32_t kRows = 2;   // sizes in tiles
constexpr std::uint32_t kColumns = 5;
constexpr std::uint32_t kTileBytes = kSide * kSide * sizeof(bfloat16);

constexpr std::uint8_t kNumbers = 0;  // circular buffers, as in the kernels
constexpr std::uint8_t kOnes = 1;
constexpr std::uint8_t kSums = 16;

int sum_rows() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  // Small whole numbers, whose sums are exact and differ from tile to tile.
  constexpr std::uint32_t kWidth = kColumns * kSide;
  std::vector<bfloat16> matrix(std::size_t{kRows} * kSide * kWidth);
  std::vector<float> golden(kRows * kSide);
  for (std::uint32_t r = 0; r < golden.size(); ++r)
    for (std::uint32_t c = 0; c < kWidth; ++c) {
      const float number = static_cast<float>((r * (c % 5) + r / kSide) % 4) - 1;
      matrix[r * kWidth + c] = number;
      golden[r] += number;
    }
  const auto in_dram = [&](std::uint32_t tiles) {
    return CreateBuffer(
        mesh, InterleavedBufferConfig{.size = tiles * kTileBytes, .page_size = kTileBytes});
  };
  const auto numbers = in_dram(kRows * kColumns);
  const auto sums = in_dram(kRows);
  const std::vector<bfloat16> tiles = tilize_nfaces(matrix, kRows * kSide, kWidth);
  std::vector<std::uint8_t> bytes(numbers->size());
  std::memcpy(bytes.data(), tiles.data(), bytes.size());
  numbers->write(0, bytes);

  const CoreCoord core{0, 0};
  Program program = CreateProgram();
  for (const std::uint8_t cb : {kNumbers, kOnes, kSums}) {
    CircularBufferConfig two_tiles(2 * kTileBytes, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, two_tiles.set_page_size(cb, kTileBytes));
  }
  const auto args = TensorAccessorArgs(*numbers).get_compile_time_args();
  const auto reader =
      CreateKernel(program, KERNELS "reader.cpp", core, ReaderDataMovementConfig(args));
  const auto compute = CreateKernel(program, KERNELS "sum_rows.cpp", core, ComputeConfig{});
  const auto writer =
      CreateKernel(program, KERNELS "writer.cpp", core, WriterDataMovementConfig(args));
  SetRuntimeArgs(program, reader, core,
                 {static_cast<std::uint32_t>(numbers->address()), kRows * kColumns});
  SetRuntimeArgs(program, compute, core, {kRows, kColumns});
  SetRuntimeArgs(program, writer, core, {static_cast<std::uint32_t>(sums->address()), kRows});
  mesh.run(0, program);

  // Column 0 of the sums' tiles has them, the rest is zero.
  bytes = sums->read(0);
  std::vector<bfloat16> result(bytes.size() / sizeof(bfloat16));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  result = untilize_nfaces(result, kRows * kSide, kSide);
  std::string wrong;
  for (std::uint32_t r = 0; r < golden.size(); ++r)
    if (wrong.empty() && !(result[r * kSide] == golden[r]))
      wrong = "WRONG: row " + std::to_string(r) +
              sums->origin(0, std::uint64_t{r / kSide} * sums->page_size());
  const auto times = mesh.run_times(0, mesh.device(0).worker(core));
  std::printf("reduction: %zu rows of %u numbers in %llu cycles: %s\n", golden.size(), kWidth,
              static_cast<unsigned long long>(times.done - times.go),
              wrong.empty() ? "as they should be" : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return sum_rows();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reduction: %s\n", error.what());
    return 2;
  }
}
