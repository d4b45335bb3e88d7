// Adds two vectors in DRAM on one Tensix core of one chip.
//
// Three kernels run in parallel and exchange tiles through circular buffers in L1. The reader reads
// both vectors from DRAM, the compute kernel adds them, and the writer writes the sums.

#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kTiles = 8;
constexpr std::uint32_t kNumbersPerTile = 32 * 32;
constexpr std::uint32_t kTileBytes = kNumbersPerTile * sizeof(std::uint16_t);

constexpr std::uint8_t kLeft = 0;  // circular buffers, as in the kernels
constexpr std::uint8_t kRight = 1;
constexpr std::uint8_t kSum = 16;

/// A bfloat16 is the upper half of a float. The numbers of this program fit.
std::uint16_t to_bfloat16(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(std::uint16_t));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint16_t number = to_bfloat16(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
  }
  return bytes;
}

int add_vectors() {
  const auto library = open_library();
  library->configure("system=single_chip");
  MeshDevice mesh(*library, {});

  // The order of numbers within a tile does not matter for a sum of numbers at the same place.
  std::vector<float> left(kTiles * kNumbersPerTile);
  std::vector<float> right(left.size());
  std::vector<float> golden(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<float>(i % 100);
    right[i] = static_cast<float>(i % 37);
    golden[i] = left[i] + right[i];
  }
  const InterleavedBufferConfig in_dram{.size = kTiles * kTileBytes, .page_size = kTileBytes};
  const auto left_buffer = MeshBuffer::create(mesh, in_dram);
  const auto right_buffer = MeshBuffer::create(mesh, in_dram);
  const auto sum_buffer = MeshBuffer::create(mesh, in_dram);
  left_buffer->write(0, bytes_of(left));
  right_buffer->write(0, bytes_of(right));

  const CoreCoord core{0, 0};
  Program program = CreateProgram();
  for (const std::uint8_t cb : {kLeft, kRight, kSum}) {
    CircularBufferConfig two_tiles(2 * kTileBytes, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, two_tiles.set_page_size(cb, kTileBytes));
  }
  // Compile-time arguments of a TensorAccessor; they are the same for all three buffers.
  const auto in_dram_args = TensorAccessorArgs(*left_buffer).get_compile_time_args();
  const auto reader =
      CreateKernel(program, KERNELS "reader.cpp", core, ReaderDataMovementConfig(in_dram_args));
  const auto add = CreateKernel(program, KERNELS "add.cpp", core, ComputeConfig{});
  const auto writer =
      CreateKernel(program, KERNELS "writer.cpp", core, WriterDataMovementConfig(in_dram_args));
  const auto address = [](const auto& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  };
  SetRuntimeArgs(program, reader, core, {address(left_buffer), address(right_buffer), kTiles});
  SetRuntimeArgs(program, add, core, {kTiles});
  SetRuntimeArgs(program, writer, core, {address(sum_buffer), kTiles});

  mesh.run(0, program);

  const auto times = mesh.run_times(0, mesh.device(0).worker(core));
  const std::string wrong = sum_buffer->difference(0, bytes_of(golden));
  std::printf("eltwise: %zu sums in %llu cycles: %s\n", golden.size(),
              static_cast<unsigned long long>(times.done - times.go),
              wrong.empty() ? "as they should be" : ("WRONG: " + wrong).c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return add_vectors();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "eltwise: %s\n", error.what());
    return 2;
  }
}
