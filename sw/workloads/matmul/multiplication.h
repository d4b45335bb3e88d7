#pragma once

#include <cstdint>
#include <memory>

#include "sw/runtime/host_api.h"
#include "sw/workloads/matmul/golden_product.h"

namespace tvp::workloads::matmul {

/// C = A x B on one Tensix core, in blocks along the inner dimension.
struct Problem {
  std::uint32_t m = 256, n = 256, k = 256;
  std::uint32_t blocks = 1;
  bool resident = false;  ///< A and B are one block in L1 that is used `blocks` times
  runtime::DataFormat format = runtime::DataFormat::Float16_b;  ///< format of A, B and C
  unsigned fidelity_phases = 4;
  std::uint32_t subblock_m = 4, subblock_n = 2;  ///< in tiles
  bool fp32_dst = false;
  bool l1_accumulate = false;
  bool transpose = false;  ///< tiles of B are stored transposed
  bool tile_by_tile = false;

  /// Throws Fault(kDescription) with the key of `where` that does not fit.
  void check(const std::string& where) const;
  Arithmetic arithmetic() const;
  std::uint32_t output_tiles() const;
  /// Tiles of a block of A or B in its circular buffer; `side` is the other dimension.
  std::uint32_t block_tiles(std::uint32_t side) const;
  /// Multiplications of two tiles.
  double tile_products() const;
};

/// Operands, programs and output of a problem on the first worker of device 0.
class Multiplication {
 public:
  Multiplication(runtime::MeshDevice& mesh, const Problem& problem, std::uint64_t seed);

  void run();
  contract::RunTimes times();
  Matrix output();
  /// Describes the tile of datum `index` of the output, and the core that wrote it
  /// (MeshBuffer::origin).
  std::string origin(std::size_t index);
  GoldenProduct golden() const { return {a_, b_, problem_.arithmetic()}; }

 private:
  std::shared_ptr<runtime::MeshBuffer> store(const Matrix& matrix);
  runtime::Program make_program() const;

  runtime::MeshDevice& mesh_;
  Problem problem_;
  Matrix a_, b_;
  std::shared_ptr<runtime::MeshBuffer> results_;  ///< partial results, then C, in L1
  std::shared_ptr<runtime::MeshBuffer> in0_, in1_, out_;
};

}  // namespace tvp::workloads::matmul
