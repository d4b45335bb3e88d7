// Multiplies two matrices on 16 Tensix cores, each of which makes one tile of the product.
//
// Cores of a row need the same tiles of the left matrix, cores of a column those of the right one.
// So the first core of each row, and of each column, reads them from DRAM and multicasts them to
// the others: every tile leaves DRAM once.

#include <algorithm>
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
constexpr std::uint32_t kCores = 4;  // in a row, and rows of them
constexpr std::uint32_t kInner = 6;  // tiles
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
    number = (seed >> 20 & 1) != 0 ? 1.0F : -1.0F;
  }
  return matrix;
}

Matrix product(const Matrix& left, const Matrix& right) {
  constexpr std::uint32_t kAll = kCores * kSide;
  Matrix result(std::size_t{kAll} * kAll);
  for (std::uint32_t r = 0; r < kAll; ++r)
    for (std::uint32_t c = 0; c < kAll; ++c) {
      float sum = 0;
      for (std::uint32_t k = 0; k < kInner * kSide; ++k)
        sum += left[r * kInner * kSide + k] * right[k * kAll + c];
      result[r * kAll + c] = sum;
    }
  return result;
}

std::vector<std::uint8_t> tiles_of(const Matrix& matrix, std::uint32_t rows,
                                   std::uint32_t columns) {
  const Matrix tiles = tilize_nfaces(matrix, rows * kSide, columns * kSide);
  std::vector<std::uint8_t> bytes(tiles.size() * sizeof(bfloat16));
  std::memcpy(bytes.data(), tiles.data(), bytes.size());
  return bytes;
}

/// The first eleven arguments of a kernel that shares an operand along a row or a column
/// (kernels/share.h).
std::vector<std::uint32_t> sharing(MeshDevice& mesh, CoreCoord core, CoreCoord sender,
                                   CoreCoord last, NOC noc, std::uint32_t ready,
                                   std::uint32_t valid, std::uint64_t address) {
  const auto on_noc = [&](CoreCoord logical) {
    return mesh.device(0).worker_core_from_logical_core(logical);
  };
  const CoreCoord next{sender.x == last.x ? sender.x : sender.x + 1,
                       sender.y == last.y ? sender.y : sender.y + 1};
  CoreCoord from = on_noc(next);
  CoreCoord to = on_noc(last);
  if (noc == NOC::NOC_1) std::swap(from, to);  // it goes the other way round
  const CoreCoord sender_there = on_noc(sender);
  return {core == sender ? 1U : 0U,
          sender_there.x,
          sender_there.y,
          from.x,
          from.y,
          to.x,
          to.y,
          kCores - 1,
          ready,
          valid,
          static_cast<std::uint32_t>(address)};
}

int multiply() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  const Matrix left = numbers(kCores, kInner, 1);
  const Matrix right = numbers(kInner, kCores, 2);
  const auto in_dram = [&](std::uint32_t tiles) {
    return CreateBuffer(
        mesh, InterleavedBufferConfig{.size = tiles * kTileBytes, .page_size = kTileBytes});
  };
  const auto left_buffer = in_dram(kCores * kInner);
  const auto right_buffer = in_dram(kInner * kCores);
  const auto product_buffer = in_dram(kCores * kCores);
  left_buffer->write(0, tiles_of(left, kCores, kInner));
  right_buffer->write(0, tiles_of(right, kInner, kCores));

  const CoreRangeSet cores = CoreRange({0, 0}, {kCores - 1, kCores - 1});
  Program program = CreateProgram();
  for (const std::uint8_t cb : {kLeft, kRight, kProduct}) {
    CircularBufferConfig two_tiles(2 * kTileBytes, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, cores, two_tiles.set_page_size(cb, kTileBytes));
  }
  // How many receivers have room, and whether the tile has come: for each of the two operands.
  const std::uint32_t left_ready = CreateSemaphore(program, cores, 0);
  const std::uint32_t left_valid = CreateSemaphore(program, cores, 0);
  const std::uint32_t right_ready = CreateSemaphore(program, cores, 0);
  const std::uint32_t right_valid = CreateSemaphore(program, cores, 0);

  const auto args = TensorAccessorArgs(*left_buffer).get_compile_time_args();
  const auto left_kernel =
      CreateKernel(program, KERNELS "left.cpp", cores, ReaderDataMovementConfig(args));
  const auto right_kernel =
      CreateKernel(program, KERNELS "right.cpp", cores, WriterDataMovementConfig(args));
  const auto compute = CreateKernel(program, KERNELS "multiply.cpp", cores,
                                    ComputeConfig{.math_fidelity = MathFidelity::HiFi2});
  SetRuntimeArgs(program, compute, cores, {kInner});
  for (const CoreCoord core : cores.cores()) {
    auto of_left = sharing(mesh, core, {0, core.y}, {kCores - 1, core.y}, NOC::NOC_0, left_ready,
                           left_valid, left_buffer->address());
    of_left.insert(of_left.end(), {core.y, kInner});
    SetRuntimeArgs(program, left_kernel, core, of_left);
    auto of_right = sharing(mesh, core, {core.x, 0}, {core.x, kCores - 1}, NOC::NOC_1, right_ready,
                            right_valid, right_buffer->address());
    of_right.insert(of_right.end(),
                    {core.x, kInner, kCores, static_cast<std::uint32_t>(product_buffer->address()),
                     core.y * kCores + core.x});
    SetRuntimeArgs(program, right_kernel, core, of_right);
  }
  mesh.run(0, program);

  std::uint64_t cycles = 0;
  for (const CoreCoord core : cores.cores()) {
    const auto times = mesh.run_times(0, mesh.device(0).worker(core));
    cycles = std::max(cycles, times.done - times.go);
  }
  const std::string wrong =
      product_buffer->difference(0, tiles_of(product(left, right), kCores, kCores));
  std::printf("matmul_multicast: %u tile products on %u cores in %llu cycles: %s\n",
              kCores * kCores * kInner, cores.num_cores(), static_cast<unsigned long long>(cycles),
              wrong.empty() ? "as they should be" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return multiply();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "matmul_multicast: %s\n", error.what());
    return 2;
  }
}
