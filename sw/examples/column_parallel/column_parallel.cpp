// Multiplies matrices on eight chips, each of which has some columns of the right one.

#include <cstdio>
#include <cstring>
#include <vector>

#include "sw/runtime/bfloat16.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/runtime/sharding/lowering.h"
#include "sw/runtime/sharding/mesh_composer.h"

using namespace tvp::runtime;
using namespace tvp::runtime::sharding;

namespace {

constexpr std::uint32_t kSide = 32;  // side of a tile
constexpr std::uint32_t kRows = 3;   // sizes in tiles
constexpr std::uint32_t kInner = 4;
constexpr std::uint32_t kColumns = 2;  // on each device
constexpr std::uint32_t kTileBytes = kSide * kSide * sizeof(bfloat16);

using Matrix = std::vector<bfloat16>;  // row by row

/// Numbers of -1 and 1, so that all sums are exact.
Matrix numbers(const TensorShape& shape, std::uint32_t seed) {
  Matrix matrix(volume(shape));
  for (bfloat16& number : matrix) {
    seed = seed * 1664525 + 1013904223;
    number = (seed >> 24 & 1) == 0 ? 1.0F : -1.0F;
  }
  return matrix;
}

Matrix product(const Matrix& left, const Matrix& right, std::size_t rows, std::size_t inner,
               std::size_t columns) {
  Matrix result(rows * columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      float sum = 0;
      for (std::size_t k = 0; k < inner; ++k) sum += left[r * inner + k] * right[k * columns + c];
      result[r * columns + c] = sum;
    }
  return result;
}

std::vector<std::uint8_t> bytes_of(const Matrix& matrix) {
  std::vector<std::uint8_t> bytes(matrix.size() * sizeof(bfloat16));
  std::memcpy(bytes.data(), matrix.data(), bytes.size());
  return bytes;
}

/// The product of the parts that a device has, on one of its cores (kernels of `matmul`).
Program multiply_parts(const DistributedBuffer& left, const DistributedBuffer& right,
                       const DistributedBuffer& result) {
  const CoreCoord core{0, 0};
  Program program = CreateProgram();
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 16}) {
    CircularBufferConfig two_tiles(2 * kTileBytes, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, two_tiles.set_page_size(cb, kTileBytes));
  }
  const auto args = TensorAccessorArgs(*left.buffer()).get_compile_time_args();
  const auto reader =
      CreateKernel(program, KERNELS "reader.cpp", core, ReaderDataMovementConfig(args));
  const auto compute = CreateKernel(program, KERNELS "multiply.cpp", core,
                                    ComputeConfig{.math_fidelity = MathFidelity::HiFi2});
  const auto writer =
      CreateKernel(program, KERNELS "writer.cpp", core, WriterDataMovementConfig(args));
  const auto address = [](const DistributedBuffer& buffer) {
    return static_cast<std::uint32_t>(buffer.buffer()->address());
  };
  SetRuntimeArgs(program, reader, core, {address(left), address(right), kRows, kInner, kColumns});
  SetRuntimeArgs(program, compute, core, {kRows * kColumns, kInner});
  SetRuntimeArgs(program, writer, core, {address(result), kRows * kColumns});
  return program;
}

int multiply() {
  const auto library = open_library();
  library->configure("system=t3000");
  MeshDevice mesh(*library, {});
  mesh.reshape({2, 4});

  const TensorShape left_shape{kRows * kSide, kInner * kSide};
  const TensorShape right_shape{kInner * kSide, mesh.num_devices() * kColumns * kSide};
  const TensorShape result_shape{left_shape[0], right_shape[1]};
  const Matrix left = numbers(left_shape, 1);
  const Matrix right = numbers(right_shape, 2);

  // The left one on all devices, the others cut along dimension 1; cores want tiles.
  const DeviceLocalLayoutConfig in_tiles{.order = TensorLayoutType::TILED_NFACES};
  const auto create = [&](const MeshMapper& mapper, const TensorShape& shape) {
    return DistributedBuffer::create(lower(mesh, mapper, shape, sizeof(bfloat16), in_tiles));
  };
  const auto left_buffer = create(ReplicateTensorToMesh(mesh), left_shape);
  const auto right_buffer = create(ShardTensorToMesh(mesh, 1), right_shape);
  const auto result_buffer = create(ShardTensorToMesh(mesh, 1), result_shape);
  left_buffer->write(bytes_of(left));
  right_buffer->write(bytes_of(right));

  // Addresses are the same on all devices, and so is the program.
  mesh.enqueue_all(std::vector<Program>(
      mesh.num_devices(), multiply_parts(*left_buffer, *right_buffer, *result_buffer)));
  mesh.finish();

  const ComposedTensor result = ConcatMeshToTensor(mesh, 1).compose(*result_buffer);
  const Matrix golden = product(left, right, left_shape[0], left_shape[1], right_shape[1]);
  const bool correct = result.shape == result_shape && result.bytes == bytes_of(golden);
  const auto times = mesh.run_times(7, mesh.device(7).worker({0, 0}));
  std::printf("column_parallel: %u tile products on each of %u devices in %llu cycles: %s\n",
              kRows * kInner * kColumns, mesh.num_devices(),
              static_cast<unsigned long long>(times.done - times.go),
              correct ? "as they should be" : "WRONG");
  return correct ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return multiply();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "column_parallel: %s\n", error.what());
    return 2;
  }
}
