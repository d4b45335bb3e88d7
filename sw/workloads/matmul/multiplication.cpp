#include "sw/workloads/matmul/multiplication.h"

#include <algorithm>
#include <random>

#include "firmware/kernels/matmul/arguments.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads::matmul {

using namespace tvp::runtime;

namespace {

const CoreCoord kCore{0, 0};

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

MathFidelity fidelity_of(unsigned phases) {
  return phases == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(phases);
}

}  // namespace

void Problem::check(const std::string& where) const {
  const auto require = [&](bool holds, const std::string& key, const std::string& text) {
    if (!holds) bad_use(where + "." + key, text);
  };
  const auto whole_tiles = [&](const char* key, unsigned side) {
    require(side % kTileSide == 0, key,
            "is " + std::to_string(side) + ": expected a multiple of " + std::to_string(kTileSide));
  };
  const auto divides = [&](const char* key, unsigned part, const char* of, unsigned side) {
    require(side / kTileSide % part == 0, key,
            "is " + std::to_string(part) + ": expected a divisor of the " +
                std::to_string(side / kTileSide) + " tiles of " + of);
  };
  whole_tiles("m", m);
  whole_tiles("n", n);
  whole_tiles("k", k);
  divides("subblock_m", subblock_m, "m", m);
  divides("subblock_n", subblock_n, "n", n);
  if (!resident) divides("blocks", blocks, "k", k);
  const unsigned most = fp32_dst ? 4 : 8;
  require(subblock_m * subblock_n <= most, "subblock_m",
          "is " + std::to_string(subblock_m) + ", subblock_n " + std::to_string(subblock_n) +
              ": expected no more than the " + std::to_string(most) +
              " tiles of half of Dst from both");
}

Arithmetic Problem::arithmetic() const {
  Arithmetic result;
  result.fidelity_phases = fidelity_phases;
  result.fp32_dst = fp32_dst;
  result.blocks = blocks;
  result.repeated = resident;
  result.accumulates_in_l1 = l1_accumulate;
  result.output = format;
  result.partials = fp32_dst ? DataFormat::Float32 : l1_accumulate ? DataFormat::Float16_b : format;
  return result;
}

std::uint32_t Problem::output_tiles() const { return m / kTileSide * (n / kTileSide); }

std::uint32_t Problem::block_tiles(std::uint32_t side) const {
  return side / kTileSide * (k / kTileSide / (resident ? 1 : blocks));
}

double Problem::tile_products() const {
  return static_cast<double>(output_tiles()) * block_tiles(kTileSide) * blocks;
}

Multiplication::Multiplication(MeshDevice& mesh, const Problem& problem, std::uint64_t seed)
    : mesh_(mesh), problem_(problem), a_(problem.m, problem.k), b_(problem.k, problem.n) {
  std::mt19937_64 random(seed);
  a_ = random_matrix(problem.m, problem.k, problem.format, random);
  b_ = random_matrix(problem.k, problem.n, problem.format, random);
  const Arithmetic how = problem.arithmetic();
  const std::uint32_t tiles = problem.output_tiles();
  results_ = MeshBuffer::create(
      mesh, ShardedBufferConfig{
                .cores = kCore,
                .shard_bytes = tiles * std::max(tile_bytes(how.partials), tile_bytes(how.output))});
  in0_ = store(a_);
  in1_ = store(problem.transpose ? with_transposed_tiles(b_) : b_);
  if (!problem.resident) {
    const std::uint32_t page = tile_bytes(how.output);
    out_ = MeshBuffer::create(
        mesh, InterleavedBufferConfig{.size = std::uint64_t{tiles} * page, .page_size = page});
  }
}

std::shared_ptr<MeshBuffer> Multiplication::store(const Matrix& matrix) {
  const std::vector<std::uint8_t> tiles = to_tiles(matrix, problem_.format);
  const auto bytes = static_cast<std::uint32_t>(tiles.size());
  auto buffer =
      problem_.resident
          ? MeshBuffer::create(mesh_, ShardedBufferConfig{.cores = kCore, .shard_bytes = bytes})
          : MeshBuffer::create(mesh_, InterleavedBufferConfig{
                                          .size = bytes, .page_size = tile_bytes(problem_.format)});
  buffer->write(0, tiles);
  return buffer;
}

void Multiplication::run() {
  mesh_.enqueue(0, make_program());
  mesh_.finish(0);
}

contract::RunTimes Multiplication::times() {
  return mesh_.run_times(0, mesh_.device(0).worker(kCore));
}

Program Multiplication::make_program() const {
  namespace kernel = kernels::matmul;
  Program program = CreateProgram();
  const Problem& p = problem_;
  const Arithmetic how = p.arithmetic();
  const auto add_buffer = [&](std::uint8_t index, DataFormat of, std::uint32_t count,
                              const MeshBuffer* memory) {
    CircularBufferConfig cb(count * tile_bytes(of), {{index, of}});
    cb.set_page_size(index, tile_bytes(of));
    if (memory != nullptr) cb.set_globally_allocated_address(*memory);
    CreateCircularBuffer(program, kCore, cb);
  };
  const std::uint32_t buffered = p.resident || p.blocks == 1 ? 1 : 2;
  const bool in_place = p.resident;
  add_buffer(kernel::kIn0, p.format, buffered * p.block_tiles(p.m),
             in_place ? in0_.get() : nullptr);
  add_buffer(kernel::kIn1, p.format, buffered * p.block_tiles(p.n),
             in_place ? in1_.get() : nullptr);
  // The output shares the memory of partial results, which are read before it is written. Its tiles
  // are not larger.
  add_buffer(kernel::kOut, how.output, p.output_tiles(), results_.get());
  add_buffer(kernel::kPartials, how.partials, p.output_tiles(), results_.get());

  std::vector<std::uint32_t> args(kernel::kFirstAccessorArgument);
  args[kernel::kRowSubblocks] = p.m / kTileSide / p.subblock_m;
  args[kernel::kColumnSubblocks] = p.n / kTileSide / p.subblock_n;
  args[kernel::kSubblockRows] = p.subblock_m;
  args[kernel::kSubblockColumns] = p.subblock_n;
  args[kernel::kBlockTiles] = p.block_tiles(kTileSide);
  args[kernel::kBlocks] = p.blocks;
  args[kernel::kResident] = p.resident;
  args[kernel::kAccumulateInL1] = p.l1_accumulate;
  args[kernel::kTransposeIn1] = p.transpose;
  args[kernel::kTileByTile] = p.tile_by_tile;
  ComputeConfig compute;
  compute.math_fidelity = fidelity_of(how.fidelity_phases);
  compute.fp32_dest_acc_en = p.fp32_dst;
  compute.compile_args = args;
  CreateKernel(program, "firmware/kernels/matmul/compute.cpp", kCore, compute);

  TensorAccessorArgs::create_dram_interleaved().append_to(args);
  const KernelHandle reader = CreateKernel(program, "firmware/kernels/matmul/reader.cpp", kCore,
                                           ReaderDataMovementConfig(args));
  const KernelHandle writer = CreateKernel(program, "firmware/kernels/matmul/reader_writer.cpp",
                                           kCore, WriterDataMovementConfig(args));
  const auto address = [](const std::shared_ptr<MeshBuffer>& buffer) {
    return buffer ? static_cast<std::uint32_t>(buffer->address()) : 0;
  };
  SetRuntimeArgs(program, reader, kCore, {address(in0_)});
  SetRuntimeArgs(program, writer, kCore, {address(in1_), address(out_)});
  return program;
}

std::string Multiplication::origin(std::size_t index) {
  const Problem& p = problem_;
  const auto row = static_cast<unsigned>(index / p.n), column = static_cast<unsigned>(index % p.n);
  const unsigned down = row / kTileSide, right = column / kTileSide, columns = p.n / kTileSide;
  const std::string tile =
      "the tile in row " + std::to_string(down) + ", column " + std::to_string(right);
  const std::uint32_t bytes = tile_bytes(p.format);
  if (out_) return tile + out_->origin(0, std::uint64_t{down * columns + right} * bytes);
  // Inverse of output().
  const unsigned subblock = down / p.subblock_m * (columns / p.subblock_n) + right / p.subblock_n;
  const unsigned at =
      (subblock * p.subblock_m + down % p.subblock_m) * p.subblock_n + right % p.subblock_n;
  return tile + results_->origin(0, kCore, at * bytes);
}

Matrix Multiplication::output() {
  const Problem& p = problem_;
  if (out_) return from_tiles(out_->read(0), p.m, p.n, p.format);
  // L1 has the tiles in the order of subblocks.
  const std::vector<std::uint8_t> found = results_->read_shard(0, kCore);
  const std::uint32_t bytes = tile_bytes(p.format);
  const std::uint32_t columns = p.n / kTileSide;
  std::vector<std::uint8_t> tiles(std::size_t{p.m / kTileSide} * columns * bytes);
  std::size_t from = 0;
  for (std::uint32_t down = 0; down < p.m / kTileSide; down += p.subblock_m) {
    for (std::uint32_t right = 0; right < columns; right += p.subblock_n) {
      for (std::uint32_t row = down; row < down + p.subblock_m; ++row) {
        const std::size_t to = (std::size_t{row} * columns + right) * bytes;
        const std::size_t run = std::size_t{p.subblock_n} * bytes;
        std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(from), run,
                    tiles.begin() + static_cast<std::ptrdiff_t>(to));
        from += run;
      }
    }
  }
  return from_tiles(tiles, p.m, p.n, p.format);
}

}  // namespace tvp::workloads::matmul
