#include "sw/workloads/prefetcher/tensors.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;
using matmul::kTileSide;
using matmul::Matrix;

namespace {

/// The matrix after rounding to tiles of bfloat16.
Matrix as_stored(const Matrix& matrix) {
  return matmul::from_tiles(matmul::to_tiles(matrix, DataFormat::Float16_b), matrix.rows,
                            matrix.columns, DataFormat::Float16_b);
}

}  // namespace

Tensors::Tensors(MeshDevice& mesh, const PrefetchPlan& plan, const std::vector<Sender>& senders,
                 std::uint32_t layers, std::uint32_t rows, std::uint64_t seed)
    : mesh_(mesh),
      plan_(plan),
      layers_(layers),
      seed_(seed),
      activation_(plan.ring().row_tiles * kTileSide,
                  plan.ring().cores() * (plan.shard_tiles() / plan.ring().row_tiles) * kTileSide) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> values(-1, 1);
  // The last tiles are padded with zeros.
  for (std::size_t i = 0; i < std::size_t{rows} * activation_.columns; ++i)
    activation_.values[i] = values(random);
  activation_ = as_stored(activation_);
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    for (const Part& part : plan.parts()) {
      std::vector<Slice> slices;
      for (std::uint32_t slice = 0; slice < plan.ring().cores(); ++slice)
        slices.push_back(random_slice(part, slice, random()));
      store(part, slices, senders);
      slices_.push_back(std::move(slices));
    }
  }
}

Tensors::Slice Tensors::random_slice(const Part& part, std::uint32_t slice,
                                     std::uint64_t seed) const {
  const WeightShape& shape = plan_.layer()[part.tensor];
  Matrix matrix(part.block_rows * plan_.ring().cores() * kTileSide, part.width * kTileSide);
  const std::uint32_t first = (part.first_column + slice * part.width) * kTileSide;
  std::minstd_rand random(static_cast<std::uint32_t>(seed));
  constexpr double kRange = 1.0 / (std::minstd_rand::max() / 2.0);
  for (unsigned row = 0; row < shape.k; ++row)
    for (unsigned column = 0; column < matrix.columns && first + column < shape.n; ++column)
      matrix.at(row, column) = static_cast<double>(random()) * kRange - 1;
  return matmul::to_tiles(matrix, part.format);
}

void Tensors::store(const Part& part, const std::vector<Slice>& slices,
                    const std::vector<Sender>& senders) {
  const std::uint32_t receivers = plan_.ring().receivers;
  const std::size_t row_bytes = std::size_t{part.width} * part.tile_bytes;
  const std::size_t bank_bytes = plan_.bank_bytes(part);
  std::uint32_t banks = 0;
  for (const Sender& sender : senders) banks = std::max(banks, sender.bank + 1);
  // One page a bank: a shard of the width.
  auto buffer = MeshBuffer::create(mesh_, InterleavedBufferConfig{.size = bank_bytes * banks,
                                                                  .page_size = bank_bytes,
                                                                  .buffer_type = BufferType::DRAM});
  std::vector<std::uint8_t> content(bank_bytes * banks);
  for (std::size_t s = 0; s < senders.size(); ++s) {
    auto to = content.begin() + static_cast<std::ptrdiff_t>(senders[s].bank * bank_bytes);
    for (std::size_t row = 0; row < part.block_rows * plan_.ring().cores(); ++row) {
      for (std::size_t r = 0; r < receivers; ++r) {
        const Slice& slice = slices[s * receivers + r];
        to = std::copy_n(slice.begin() + static_cast<std::ptrdiff_t>(row * row_bytes), row_bytes,
                         to);
      }
    }
  }
  buffer->write(0, content);
  weights_.push_back(std::move(buffer));
}

std::vector<std::uint32_t> Tensors::addresses() const {
  std::vector<std::uint32_t> result;
  for (const auto& buffer : weights_)
    result.push_back(static_cast<std::uint32_t>(buffer->address()));
  return result;
}

std::vector<std::uint8_t> Tensors::activation_shard(std::uint32_t place) const {
  const unsigned columns = plan_.shard_tiles() / plan_.ring().row_tiles;
  std::vector<std::uint8_t> shard;
  for (unsigned column = place * columns; column < (place + 1) * columns; ++column) {
    Matrix tiles(activation_.rows, kTileSide);
    for (unsigned row = 0; row < tiles.rows; ++row)
      std::copy_n(activation_.row(row) + column * kTileSide, kTileSide, tiles.row(row));
    const std::vector<std::uint8_t> next = matmul::to_tiles(tiles, DataFormat::Float16_b);
    shard.insert(shard.end(), next.begin(), next.end());
  }
  return shard;
}

/// Independent of the weights, so that a run with a bias has the same ones.
Matrix Tensors::bias(std::uint32_t layer, std::uint32_t part, std::uint32_t slice) const {
  constexpr double kLargest = 32;  // the size of products
  std::mt19937_64 random(seed_ ^ (0x9E3779B97F4A7C15U * (1 + layer)) ^ (std::uint64_t{part} << 32) ^
                         (std::uint64_t{slice} << 16));
  std::uniform_real_distribution<double> values(-kLargest, kLargest);
  Matrix row(kTileSide, plan_.parts()[part].width * kTileSide);
  for (unsigned column = 0; column < row.columns; ++column) row.at(0, column) = values(random);
  return row;
}

std::vector<std::uint8_t> Tensors::bias_tiles(std::uint32_t slice) const {
  std::vector<std::uint8_t> tiles;
  for (std::uint32_t layer = 0; layer < layers_; ++layer)
    for (std::uint32_t part = 0; part < plan_.parts().size(); ++part) {
      const std::vector<std::uint8_t> next =
          matmul::to_tiles(bias(layer, part, slice), DataFormat::Float16_b);
      tiles.insert(tiles.end(), next.begin(), next.end());
    }
  return tiles;
}

Matrix Tensors::weights(std::uint32_t layer, std::uint32_t p, std::uint32_t slice) const {
  const Part& part = plan_.parts()[p];
  return matmul::from_tiles(slices_[layer * plan_.parts().size() + p][slice],
                            part.block_rows * plan_.ring().cores() * kTileSide,
                            part.width * kTileSide, part.format);
}

Matrix Tensors::resident(std::uint32_t slice) const {
  std::mt19937_64 random(seed_ ^ (0xD1B54A32D192ED03U * (1 + slice)));
  std::uniform_real_distribution<double> values(-1, 1);
  Matrix tiles(plan_.largest_block_tiles() * kTileSide, kTileSide);
  for (double& value : tiles.values) value = values(random);
  return as_stored(tiles);
}

std::vector<std::uint8_t> Tensors::resident_tiles(std::uint32_t slice) const {
  return matmul::to_tiles(resident(slice), DataFormat::Float16_b);
}

void Tensors::compare(std::uint32_t layer, std::uint32_t p, std::uint32_t place,
                      std::uint32_t slice, std::span<const std::uint8_t> output,
                      const matmul::Arithmetic& arithmetic, const Epilogue& epilogue,
                      Result& result) {
  const Part& part = plan_.parts()[p];
  const std::uint32_t cores = plan_.ring().cores();
  const unsigned block = part.block_rows * kTileSide;
  const Matrix stored = weights(layer, p, slice);
  // Adds in the order of the core: from its own block on, around the ring.
  const unsigned columns_of_shard = plan_.shard_tiles() / plan_.ring().row_tiles * kTileSide;
  Matrix in0(activation_.rows, block * cores);
  Matrix in1(block * cores, stored.columns);
  for (std::uint32_t step = 0; step < cores; ++step) {
    const std::uint32_t from = (place + step) % cores;
    for (unsigned row = 0; row < in0.rows; ++row)
      std::copy_n(activation_.row(row) + from * columns_of_shard, block,
                  in0.row(row) + step * block);
    std::copy_n(stored.row(from * block), std::size_t{block} * stored.columns,
                in1.row(step * block));
  }
  const matmul::GoldenProduct golden(in0, in1, arithmetic);
  const Matrix bias = as_stored(this->bias(layer, p, slice));
  // FP32 rounds each partial sum of a datum, which the bias makes larger.
  const double of_bias =
      epilogue.bias() ? 0x1p-24 * arithmetic.fidelity_phases * in0.columns / 8 : 0;
  Matrix expected(in0.rows, stored.columns), bound(in0.rows, stored.columns);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double added = epilogue.bias() ? bias.values[i % expected.columns] : 0;
    const double sum = golden.product().values[i] + added;
    expected.values[i] = epilogue.value(sum);
    bound.values[i] = epilogue.bound(sum, golden.bound().values[i] + of_bias * std::abs(added));
  }
  judge(layer, p, "core at place " + std::to_string(place) + " of the ring", output, expected,
        bound, result);
}

void Tensors::judge(std::uint32_t layer, std::uint32_t part, const std::string& who,
                    std::span<const std::uint8_t> output, const Matrix& expected,
                    const Matrix& bound, Result& result) {
  outputs_.add({reinterpret_cast<const char*>(output.data()), output.size()});
  const Matrix found =
      matmul::from_tiles(output, expected.rows, expected.columns, DataFormat::Float16_b);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double error = std::abs(found.values[i] - expected.values[i]);
    largest_error_ = std::max(largest_error_, error);
    largest_ = std::max(largest_, std::abs(expected.values[i]));
    largest_bound_ = std::max(largest_bound_, bound.values[i]);
    if (!(error <= bound.values[i])) ++wrong;
  }
  if (wrong == 0 || !result.passed) return;
  const std::string count = std::to_string(wrong) + " of " + std::to_string(found.values.size());
  result.passed = false;
  result.reason = count + " results of " + plan_.parts()[part].name + " in layer " +
                  std::to_string(layer) + " on the " + who +
                  " are farther from the product than rounding explains";
}

void Tensors::conclude(Result& result) const {
  result.remarks.push_back("outputs of all cores and layers hash to " + outputs_.hex());
  result.max_abs_error = largest_error_;
  if (largest_ == 0) return;
  result.max_rel_error = largest_error_ / largest_;
  result.error_bound = largest_bound_ / largest_;
}

}  // namespace tvp::workloads::prefetcher
