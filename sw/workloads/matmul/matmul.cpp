#include "sw/workloads/matmul/matmul.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "firmware/kernels/matmul/arguments.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads::matmul {

using namespace tvp::runtime;

namespace {

const CoreCoord kCore{0, 0};
constexpr std::uint32_t kInterleavedDram = 2;  // TensorAccessorArgs: IsDram

Matrix random_matrix(unsigned rows, unsigned columns, DataFormat format, std::mt19937_64& random) {
  Matrix matrix(rows, columns);
  std::uniform_real_distribution<double> values(-1, 1);
  for (double& value : matrix.values) value = values(random);
  return from_tiles(to_tiles(matrix, format), rows, columns, format);
}

Matrix with_transposed_tiles(const Matrix& matrix) {
  Matrix result = matrix;
  for (unsigned r = 0; r < matrix.rows; ++r) {
    for (unsigned c = 0; c < matrix.columns; ++c)
      result.at(r, c) = matrix.at(r / kTileSide * kTileSide + c % kTileSide,
                                  c / kTileSide * kTileSide + r % kTileSide);
  }
  return result;
}

unsigned phases_of(const support::Choice& fidelity) {
  return fidelity == "lofi" ? 1 : fidelity == "hifi2" ? 2 : fidelity == "hifi3" ? 3 : 4;
}
MathFidelity fidelity_of(unsigned phases) {
  return phases == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(phases);
}

}  // namespace

void Matmul::check() const {
  const auto require = [](bool holds, const std::string& key, const std::string& text) {
    if (!holds) bad_use("matmul." + key, text);
  };
  require(config_.m % kTileSide == 0, "m", "is no multiple of 32");
  require(config_.n % kTileSide == 0, "n", "is no multiple of 32");
  require(config_.k % kTileSide == 0, "k", "is no multiple of 32");
  require(config_.m / kTileSide % config_.subblock_m == 0, "subblock_m",
          "does not divide the " + std::to_string(config_.m / kTileSide) + " tiles of m");
  require(config_.n / kTileSide % config_.subblock_n == 0, "subblock_n",
          "does not divide the " + std::to_string(config_.n / kTileSide) + " tiles of n");
  require(config_.resident || config_.k / kTileSide % config_.blocks == 0, "blocks",
          "does not divide the " + std::to_string(config_.k / kTileSide) + " tiles of k");
  const unsigned most = config_.fp32_dst ? 4 : 8;
  require(config_.subblock_m * config_.subblock_n <= most, "subblock_m",
          "and subblock_n make more than the " + std::to_string(most) + " tiles of half of Dst");
}

DataFormat Matmul::operand_format() const {
  return config_.format == "bfp8_b" ? DataFormat::Bfp8_b : DataFormat::Float16_b;
}

Arithmetic Matmul::arithmetic() const {
  Arithmetic result;
  result.fidelity_phases = phases_of(config_.fidelity);
  result.fp32_dst = config_.fp32_dst;
  result.blocks = config_.blocks;
  result.repeated = config_.resident;
  result.accumulates_in_l1 = config_.l1_accumulate;
  result.output = operand_format();
  result.partials = config_.fp32_dst        ? DataFormat::Float32
                    : config_.l1_accumulate ? DataFormat::Float16_b
                                            : operand_format();
  return result;
}

std::uint32_t Matmul::block_tiles(std::uint32_t side) const {
  const std::uint32_t inner = config_.k / kTileSide / (config_.resident ? 1 : config_.blocks);
  return side / kTileSide * inner;
}

Matmul::Operands Matmul::make_operands(MeshDevice& mesh, const Matrix& a, const Matrix& b,
                                       std::uint32_t result_bytes) const {
  Operands operands;
  const DataFormat format = operand_format();
  const std::uint32_t page = tile_bytes(format);
  const auto store = [&](const Matrix& matrix) {
    const std::vector<std::uint8_t> tiles = to_tiles(matrix, format);
    const auto bytes = static_cast<std::uint32_t>(tiles.size());
    const auto buffer = config_.resident
                            ? MeshBuffer::create(mesh, ShardedBufferConfig{kCore, bytes})
                            : MeshBuffer::create(mesh, InterleavedBufferConfig{bytes, page});
    buffer->write(0, tiles);
    return buffer;
  };
  operands.in0 = store(a);
  operands.in1 = store(b);
  if (!config_.resident) {
    operands.out =
        MeshBuffer::create(mesh, InterleavedBufferConfig{std::uint64_t{result_bytes}, page});
  }
  return operands;
}

Program Matmul::make_program(const Operands& operands, const MeshBuffer& results) const {
  namespace kernel = kernels::matmul;
  Program program = CreateProgram();
  const Arithmetic how = arithmetic();
  const DataFormat format = operand_format();
  const std::uint32_t tiles = config_.m / kTileSide * (config_.n / kTileSide);
  const auto add_buffer = [&](std::uint8_t index, DataFormat of, std::uint32_t count,
                              const MeshBuffer* memory) {
    CircularBufferConfig cb(count * tile_bytes(of), {{index, of}});
    cb.set_page_size(index, tile_bytes(of));
    if (memory != nullptr) cb.set_globally_allocated_address(*memory);
    CreateCircularBuffer(program, kCore, cb);
  };
  const std::uint32_t buffered = config_.resident || config_.blocks == 1 ? 1 : 2;
  const bool in_place = config_.resident;
  add_buffer(kernel::kIn0, format, buffered * block_tiles(config_.m),
             in_place ? operands.in0.get() : nullptr);
  add_buffer(kernel::kIn1, format, buffered * block_tiles(config_.n),
             in_place ? operands.in1.get() : nullptr);
  // The output takes the place of partial results, which are read before it is written: a tile of
  // it is not the larger one.
  add_buffer(kernel::kOut, how.output, tiles, &results);
  add_buffer(kernel::kPartials, how.partials, tiles, &results);

  std::vector<std::uint32_t> args(kernel::kFirstAccessorArgument);
  args[kernel::kRowSubblocks] = config_.m / kTileSide / config_.subblock_m;
  args[kernel::kColumnSubblocks] = config_.n / kTileSide / config_.subblock_n;
  args[kernel::kSubblockRows] = config_.subblock_m;
  args[kernel::kSubblockColumns] = config_.subblock_n;
  args[kernel::kBlockTiles] = block_tiles(kTileSide);
  args[kernel::kBlocks] = config_.blocks;
  args[kernel::kResident] = config_.resident;
  args[kernel::kAccumulateInL1] = config_.l1_accumulate;
  args[kernel::kTransposeIn1] = config_.transpose;
  args[kernel::kTileByTile] = config_.kernel == "tiles";
  ComputeConfig compute;
  compute.math_fidelity = fidelity_of(how.fidelity_phases);
  compute.fp32_dest_acc_en = config_.fp32_dst;
  compute.compile_args = args;
  CreateKernel(program, "firmware/kernels/matmul/compute.cpp", kCore, compute);

  args.push_back(kInterleavedDram);
  const KernelHandle reader = CreateKernel(program, "firmware/kernels/matmul/reader.cpp", kCore,
                                           ReaderDataMovementConfig(args));
  const KernelHandle writer = CreateKernel(program, "firmware/kernels/matmul/reader_writer.cpp",
                                           kCore, WriterDataMovementConfig(args));
  const auto address = [](const std::shared_ptr<MeshBuffer>& buffer) {
    return buffer ? static_cast<std::uint32_t>(buffer->address()) : 0;
  };
  SetRuntimeArgs(program, reader, kCore, {address(operands.in0)});
  SetRuntimeArgs(program, writer, kCore, {address(operands.in1), address(operands.out)});
  return program;
}

Matrix Matmul::read_output(const Operands& operands, MeshBuffer& results) const {
  const DataFormat format = operand_format();
  if (operands.out) return from_tiles(operands.out->read(0), config_.m, config_.n, format);
  // L1 holds the tiles subblock by subblock.
  const std::vector<std::uint8_t> found = results.read_shard(0, kCore);
  const std::uint32_t bytes = tile_bytes(format);
  const std::uint32_t columns = config_.n / kTileSide;
  std::vector<std::uint8_t> tiles(std::size_t{config_.m / kTileSide} * columns * bytes);
  std::size_t from = 0;
  for (std::uint32_t down = 0; down < config_.m / kTileSide; down += config_.subblock_m) {
    for (std::uint32_t right = 0; right < columns; right += config_.subblock_n) {
      for (std::uint32_t row = down; row < down + config_.subblock_m; ++row) {
        const std::size_t to = (std::size_t{row} * columns + right) * bytes;
        const std::size_t run = std::size_t{config_.subblock_n} * bytes;
        std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(from), run,
                    tiles.begin() + static_cast<std::ptrdiff_t>(to));
        from += run;
      }
    }
  }
  return from_tiles(tiles, config_.m, config_.n, format);
}

Result Matmul::run(Context& context) {
  check();
  MeshDevice::Options options;
  options.print = context.print;
  MeshDevice mesh(context.library, options);

  std::mt19937_64 random(context.seed);
  const Matrix a = random_matrix(config_.m, config_.k, operand_format(), random);
  const Matrix b = random_matrix(config_.k, config_.n, operand_format(), random);
  const std::uint32_t tiles = config_.m / kTileSide * (config_.n / kTileSide);
  const Arithmetic how = arithmetic();
  const auto results = MeshBuffer::create(
      mesh, ShardedBufferConfig{
                kCore, tiles * std::max(tile_bytes(how.partials), tile_bytes(how.output))});
  const Operands operands = make_operands(mesh, a, config_.transpose ? with_transposed_tiles(b) : b,
                                          tiles * tile_bytes(how.output));
  mesh.enqueue(0, make_program(operands, *results));
  context.compile_seconds += mesh.compile_seconds();
  mesh.finish(0);
  const Matrix found = read_output(operands, *results);

  const Golden golden(a, b, how);
  Result result;
  double largest = 0, largest_bound = 0;
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double error = std::abs(found.values[i] - golden.product().values[i]);
    result.max_abs_error = std::max(result.max_abs_error, error);
    largest = std::max(largest, std::abs(golden.product().values[i]));
    largest_bound = std::max(largest_bound, golden.bound().values[i]);
    if (!(error <= golden.bound().values[i])) ++wrong;
  }
  result.max_rel_error = result.max_abs_error / largest;
  result.error_bound = largest_bound / largest;
  result.passed = wrong == 0;
  if (wrong != 0)
    result.reason = std::to_string(wrong) + " of " + std::to_string(found.values.size()) +
                    " results are farther from the product than rounding explains";

  const auto times = mesh.run_times(0, mesh.device(0).worker(kCore));
  const auto cycles = static_cast<double>(times.done - times.go);
  const double tile_products =
      static_cast<double>(tiles) * block_tiles(kTileSide) * config_.blocks;
  result.phases.push_back(
      {"multiply", static_cast<double>(times.go), static_cast<double>(times.done)});
  result.metrics.push_back({"kernel_cycles", cycles, "cycles"});
  result.metrics.push_back({"cycles_per_tile", cycles / tile_products, "cycles"});
  result.metrics.push_back(
      {"tile_floor_share", 16 * how.fidelity_phases * tile_products / cycles, ""});
  return result;
}

}  // namespace tvp::workloads::matmul
