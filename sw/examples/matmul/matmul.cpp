// Multiplies two matrices on one Tensix core.

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
constexpr std::uint32_t kRows = 3;   // sizes in tiles
constexpr std::uint32_t kInner = 4;
constexpr std::uint32_t kColumns = 2;
constexpr std::uint32_t kTileBytes = kSide * kSide * sizeof(bfloat16);

constexpr std::uint8_t kLeft = 0;  // circular buffers, as in the kernels
constexpr std::uint8_t kRight = 1;
constexpr std::uint8_t kProduct = 16;

using Matrix = std::vector<bfloat16>;  // row by row

/// Numbers of -1 and 1, so that all sums are exact.
Matrix numbers(std::uint32_t rows, std::uint32_t columns, std::uint32_t seed) {
  Matrix matrix(std::size_t{rows} * columns * kSide * kSide);
  for (bfloat16& number : matrix) {
    seed = seed * 1664525 + 1013904223;
    number = static_cast<float>(seed >> 16 & 0xFFF) / 4096 < 0.5F ? 1.0F : -1.0F;
  }
  return matrix;
}

Matrix product(const Matrix& left, const Matrix& right) {
  Matrix result(std::size_t{kRows} * kColumns * kSide * kSide);
  for (std::uint32_t r = 0; r < kRows * kSide; ++r)
    for (std::uint32_t c = 0; c < kColumns * kSide; ++c) {
      float sum = 0;
      for (std::uint32_t k = 0; k < kInner * kSide; ++k)
        sum += left[r * kInner * kSide + k] * right[k * kColumns * kSide + c];
      result[r * kColumns * kSide + c] = sum;
    }
  return result;
}

/// Cores want 32 x 32 tiles, each of four faces of 16 x 16.
std::vector<std::uint8_t> tiles_of(const Matrix& matrix, std::uint32_t rows,
                                   std::uint32_t columns) {
  const Matrix tiles = tilize_nfaces(matrix, rows * kSide, columns * kSide);
  std::vector<std::uint8_t> bytes(tiles.size() * sizeof(bfloat16));
  std::memcpy(bytes.data(), tiles.data(), bytes.size());
  return bytes;
}

int multiply() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  const Matrix left = numbers(kRows, kInner, 1);
  const Matrix right = numbers(kInner, kColumns, 2);
  const auto in_dram = [&](std::uint32_t tiles) {
    return CreateBuffer(
        mesh, InterleavedBufferConfig{.size = tiles * kTileBytes, .page_size = kTileBytes});
  };
  const auto left_buffer = in_dram(kRows * kInner);
  const auto right_buffer = in_dram(kInner * kColumns);
  const auto product_buffer = in_dram(kRows * kColumns);
  left_buffer->write(0, tiles_of(left, kRows, kInner));
  right_buffer->write(0, tiles_of(right, kInner, kColumns));

  const CoreCoord core{0, 0};
  Program program = CreateProgram();
  for (const std::uint8_t cb : {kLeft, kRight, kProduct}) {
    CircularBufferConfig two_tiles(2 * kTileBytes, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, two_tiles.set_page_size(cb, kTileBytes));
  }
  const auto args = TensorAccessorArgs(*left_buffer).get_compile_time_args();
  const auto reader =
      CreateKernel(program, KERNELS "reader.cpp", core, ReaderDataMovementConfig(args));
  const auto compute = CreateKernel(program, KERNELS "multiply.cpp", core,
                                    ComputeConfig{.math_fidelity = MathFidelity::HiFi2});
  const auto writer =
      CreateKernel(program, KERNELS "writer.cpp", core, WriterDataMovementConfig(args));
  const auto address = [](const auto& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  };
  SetRuntimeArgs(program, reader, core,
                 {address(left_buffer), address(right_buffer), kRows, kInner, kColumns});
  SetRuntimeArgs(program, compute, core, {kRows * kColumns, kInner});
  SetRuntimeArgs(program, writer, core, {address(product_buffer), kRows * kColumns});
  mesh.run(0, program);

  const auto times = mesh.run_times(0, mesh.device(0).worker(core));
  const std::string wrong =
      product_buffer->difference(0, tiles_of(product(left, right), kRows, kColumns));
  std::printf("matmul: %u tile products in %llu cycles: %s\n", kRows * kInner * kColumns,
              static_cast<unsigned long long>(times.done - times.go),
              wrong.empty() ? "as they should be" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return multiply();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "matmul: %s\n", error.what());
    return 2;
  }
}
