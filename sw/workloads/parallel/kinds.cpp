#include "sw/workloads/parallel/kinds.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tvp::workloads::parallel {

using collectives::Primitive;
using Matrix = ParallelMachine::Matrix;
using Random = std::mt19937_64;

namespace {

/// Small enough that BF16 holds all sums exactly (see SmallMatrix).
constexpr std::uint32_t kOnesOfALayer = 4;
constexpr std::uint32_t kOnesOfTheSecond = 12;

struct Mlp {
  SmallMatrix tokens;
  SmallMatrix first;
  SmallMatrix second;
  SmallMatrix golden;
};

Mlp make_mlp(const Sizes& sizes, Random& random) {
  Mlp mlp;
  mlp.tokens = SmallMatrix::random(sizes.tokens, sizes.width, 2, random);
  mlp.first = SmallMatrix::sparse(sizes.width, sizes.inner, kOnesOfALayer, random);
  mlp.second = SmallMatrix::sparse(sizes.inner, sizes.width, kOnesOfTheSecond, random);
  mlp.golden =
      SmallMatrix::product(SmallMatrix::product(mlp.tokens, mlp.first, true), mlp.second, false);
  return mlp;
}

/// Names the writer of the tile with the first wrong datum. Shards lie tile by tile in the device's
/// memory and row by row here.
std::string origin(const runtime::sharding::DistributedBuffer& found, unsigned device,
                   const std::vector<std::uint8_t>& shard,
                   const std::vector<std::uint8_t>& expected) {
  constexpr std::uint64_t kSide = 32;
  const auto first = std::mismatch(shard.begin(), shard.end(), expected.begin()).first;
  const auto datum = static_cast<std::uint64_t>(first - shard.begin()) / found.datum_size();
  const std::uint64_t columns = found.partition().local_shape().back();
  const std::uint64_t tile = datum / columns / kSide * (columns / kSide) + datum % columns / kSide;
  return "; in tile " + std::to_string(tile) +
         found.buffer()->origin(device, tile * kSide * kSide * found.datum_size());
}

/// Compares one device's shard.
std::string compare(const Matrix& found, unsigned device, const SmallMatrix& golden,
                    std::uint32_t divisor = 1) {
  const std::uint32_t columns = found->mesh().shape().columns;
  const auto expected = golden.as_bfloat16(divisor);
  const auto shard = found->read_shard({device / columns, device % columns});
  if (shard == expected) return "";
  const std::string wrong =
      "device " + std::to_string(device) + " has another result than whole matrices give";
  return shard.size() == expected.size() ? wrong + origin(*found, device, shard, expected) : wrong;
}

/// Compares the tensor that the shards of all devices form.
std::string compare(const Matrix& found, const SmallMatrix& golden) {
  const auto tensor = found->read(), expected = golden.as_bfloat16();
  if (tensor == expected) return "";
  std::string wrong = "the shards make up another result than whole matrices give";
  for (unsigned device = 0; device < found->mesh().num_devices(); ++device) {
    const auto local = found->local_content(device, expected);
    const auto stored = found->buffer()->read(device);
    if (stored == local || stored.size() != local.size()) continue;
    const auto first = std::mismatch(stored.begin(), stored.end(), local.begin()).first;
    return wrong + "; on device " + std::to_string(device) +
           found->buffer()->origin(device, static_cast<std::uint64_t>(first - stored.begin()));
  }
  return wrong;
}

std::string compare_everywhere(const ParallelMachine& machine, const Matrix& found,
                               const SmallMatrix& golden, std::uint32_t divisor = 1) {
  for (unsigned device = 0; device < machine.devices(); ++device) {
    std::string wrong = compare(found, device, golden, divisor);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

/// The matrix of each chunk of rows.
std::vector<SmallMatrix> chunks_of(const SmallMatrix& matrix, std::uint32_t chunks) {
  std::vector<SmallMatrix> made;
  const std::uint32_t rows = matrix.rows / chunks;
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
    made.push_back(matrix.some_rows(chunk * rows, rows));
  return made;
}

std::string of_chunk(const char* what, std::uint32_t chunk) {
  return std::string(what) + " of chunk " + std::to_string(chunk);
}

/// The all_reduce of a chunk of tokens runs beside the second product of the next one.
std::string overlapped_tensor_parallel(ParallelMachine& machine, const Sizes& sizes,
                                       const Mlp& mlp) {
  const std::uint32_t rows = sizes.tokens / sizes.chunks;
  const Matrix first = machine.cut(mlp.first, 1);
  const Matrix second = machine.cut(mlp.second, 0);
  const std::vector<SmallMatrix> golden = chunks_of(mlp.golden, sizes.chunks);
  std::vector<Matrix> hidden;
  std::vector<Matrix> part;
  for (const SmallMatrix& chunk : chunks_of(mlp.tokens, sizes.chunks)) {
    const auto number = static_cast<std::uint32_t>(hidden.size());
    const Matrix tokens = machine.repeated(chunk);
    hidden.push_back(machine.cut(rows, sizes.inner, 1));
    part.push_back(machine.repeated(rows, sizes.width));
    machine.multiply(of_chunk("column-parallel layer", number), tokens, first, hidden.back(), true);
  }
  machine.multiply(of_chunk("row-parallel layer", 0), hidden[0], second, part[0], false);
  const Matrix sum = machine.repeated(rows, sizes.width);
  std::string wrong;
  for (std::uint32_t chunk = 0; chunk < sizes.chunks && wrong.empty(); ++chunk) {
    const std::uint32_t next = chunk + 1;
    if (next < sizes.chunks)
      machine.begin_beside(
          {of_chunk("row-parallel layer", next), hidden[next], second, part[next], false});
    machine.collective(of_chunk("all_reduce", chunk), Primitive::kAllReduce, part[chunk], sum);
    wrong = compare_everywhere(machine, sum, golden[chunk]);
  }
  return wrong;
}

/// The tokens of the next chunk are gathered beside the first product of a chunk, and the result of
/// the chunk before is scattered beside the second one.
std::string overlapped_sequence_parallel(ParallelMachine& machine, const Sizes& sizes,
                                         const Mlp& mlp) {
  const std::uint32_t rows = sizes.tokens / sizes.chunks;
  const Matrix first = machine.cut(mlp.first, 1);
  const Matrix second = machine.cut(mlp.second, 0);
  const std::vector<SmallMatrix> tokens = chunks_of(mlp.tokens, sizes.chunks);
  const std::vector<SmallMatrix> golden = chunks_of(mlp.golden, sizes.chunks);
  std::vector<Matrix> shards;
  std::vector<Matrix> whole;
  std::vector<Matrix> hidden;
  std::vector<Matrix> part;
  for (const SmallMatrix& chunk : tokens) {
    shards.push_back(machine.cut(chunk, 0));
    whole.push_back(machine.repeated(rows, sizes.width));
    hidden.push_back(machine.cut(rows, sizes.inner, 1));
    part.push_back(machine.repeated(rows, sizes.width));
  }
  const Matrix result = machine.cut(rows, sizes.width, 0);
  std::string wrong;
  const auto gather = [&](std::uint32_t chunk) {
    machine.collective(of_chunk("all_gather", chunk), Primitive::kAllGather, shards[chunk],
                       whole[chunk]);
  };
  const auto scatter = [&](std::uint32_t chunk) {
    machine.collective(of_chunk("reduce_scatter", chunk), Primitive::kReduceScatter, part[chunk],
                       result);
    if (wrong.empty()) wrong = compare(result, golden[chunk]);
  };
  gather(0);
  for (std::uint32_t chunk = 0; chunk < sizes.chunks; ++chunk) {
    const std::string name = of_chunk("column-parallel layer", chunk);
    if (chunk + 1 < sizes.chunks) {
      machine.begin_beside({name, whole[chunk], first, hidden[chunk], true});
      gather(chunk + 1);
    } else {
      machine.multiply(name, whole[chunk], first, hidden[chunk], true);
    }
    const std::string then = of_chunk("row-parallel layer", chunk);
    if (chunk > 0) {
      machine.begin_beside({then, hidden[chunk], second, part[chunk], false});
      scatter(chunk - 1);
    } else {
      machine.multiply(then, hidden[chunk], second, part[chunk], false);
    }
  }
  scatter(sizes.chunks - 1);
  return wrong;
}

/// Stages have two buffers for each direction. In a step a stage computes one batch and passes on
/// the result of the step before, so that a batch is in a stage for two steps.
std::string overlapped_pipeline(ParallelMachine& machine, const Sizes& sizes,
                                const std::vector<SmallMatrix>& layers, const Matrix& weights,
                                Random& random) {
  const std::uint32_t stages = machine.devices();
  const std::uint32_t rows = sizes.tokens / sizes.batches;
  std::array<Matrix, 2> in;
  std::array<Matrix, 2> out;
  for (const std::uint32_t buffer : {0U, 1U}) {
    in[buffer] = machine.cut(stages * rows, sizes.width, 0);
    out[buffer] = machine.cut(stages * rows, sizes.width, 0);
  }
  std::vector<SmallMatrix> golden;
  std::string wrong;
  const std::uint32_t last = sizes.batches + 2 * (stages - 1);
  for (std::uint32_t step = 0; step < last; ++step) {
    // Stage s computes batch step - 2 s.
    const std::uint32_t now = step % 2;
    if (step < sizes.batches) {
      SmallMatrix batch = SmallMatrix::random(rows, sizes.width, 2, random);
      in[now]->write_shard({0, 0}, batch.as_bfloat16());
      for (const SmallMatrix& layer : layers) batch = SmallMatrix::product(batch, layer, true);
      golden.push_back(batch);
    }
    std::vector<bool> active(stages);
    for (std::uint32_t s = 0; s < stages; ++s)
      active[s] = 2 * s <= step && step - 2 * s < sizes.batches;
    const std::string name = "step " + std::to_string(step) + " layers";
    if (step == 0) {
      machine.multiply(name, in[now], weights, out[now], true, active);
    } else {
      // With few batches no stage computes in some steps.
      if (std::find(active.begin(), active.end(), true) != active.end())
        machine.begin_beside({name, in[now], weights, out[now], true, active});
      machine.pass_on("step " + std::to_string(step) + " to the next", out[1 - now], in[1 - now]);
    }
    if (active[stages - 1] && wrong.empty())
      wrong = compare(out[now], stages - 1, golden[step - 2 * (stages - 1)]);
  }
  return wrong;
}

}  // namespace

std::string tensor_parallel(ParallelMachine& machine, const Sizes& sizes, Random& random) {
  const Mlp mlp = make_mlp(sizes, random);
  if (sizes.chunks > 1) return overlapped_tensor_parallel(machine, sizes, mlp);
  const Matrix tokens = machine.repeated(mlp.tokens);
  const Matrix first = machine.cut(mlp.first, 1);
  const Matrix second = machine.cut(mlp.second, 0);
  const Matrix hidden = machine.cut(sizes.tokens, sizes.inner, 1);
  const Matrix part = machine.repeated(sizes.tokens, sizes.width);
  const Matrix sum = machine.repeated(sizes.tokens, sizes.width);
  machine.multiply("column-parallel layer", tokens, first, hidden, true);
  machine.multiply("row-parallel layer", hidden, second, part, false);
  machine.collective("all_reduce", Primitive::kAllReduce, part, sum);
  return compare_everywhere(machine, sum, mlp.golden);
}

std::string data_parallel(ParallelMachine& machine, const Sizes& sizes, Random& random) {
  // At most 256 products of -1, 0 and 1 in a gradient.
  const SmallMatrix activations = SmallMatrix::random(sizes.tokens, sizes.width, 1, random);
  const SmallMatrix errors = SmallMatrix::random(sizes.tokens, sizes.inner, 1, random);
  const SmallMatrix turned = activations.transposed();
  const Matrix left = machine.cut(turned, 1);
  const Matrix right = machine.cut(errors, 0);
  const Matrix gradient = machine.repeated(sizes.width, sizes.inner);
  const Matrix sum = machine.repeated(sizes.width, sizes.inner);
  machine.multiply("gradients", left, right, gradient, false);
  machine.collective("all_reduce", Primitive::kAllReduce, gradient, sum, sizes.mean);
  const SmallMatrix golden = SmallMatrix::product(turned, errors, false);
  return compare_everywhere(machine, sum, golden, sizes.mean ? machine.devices() : 1);
}

std::string sequence_parallel(ParallelMachine& machine, const Sizes& sizes, Random& random) {
  const Mlp mlp = make_mlp(sizes, random);
  if (sizes.chunks > 1) return overlapped_sequence_parallel(machine, sizes, mlp);
  const Matrix part_of_tokens = machine.cut(mlp.tokens, 0);
  const Matrix tokens = machine.repeated(sizes.tokens, sizes.width);
  const Matrix first = machine.cut(mlp.first, 1);
  const Matrix second = machine.cut(mlp.second, 0);
  const Matrix hidden = machine.cut(sizes.tokens, sizes.inner, 1);
  const Matrix part = machine.repeated(sizes.tokens, sizes.width);
  const Matrix result = machine.cut(sizes.tokens, sizes.width, 0);
  machine.collective("all_gather", Primitive::kAllGather, part_of_tokens, tokens);
  machine.multiply("column-parallel layer", tokens, first, hidden, true);
  machine.multiply("row-parallel layer", hidden, second, part, false);
  machine.collective("reduce_scatter", Primitive::kReduceScatter, part, result);
  return compare(result, mlp.golden);
}

std::string expert_parallel(ParallelMachine& machine, const Sizes& sizes, Random& random) {
  const std::uint32_t experts = machine.devices();
  const std::uint32_t own = sizes.tokens / experts;  // tokens of a device
  const std::uint32_t each = own / experts;          // tokens for each expert
  const SmallMatrix tokens = SmallMatrix::random(sizes.tokens, sizes.width, 2, random);
  SmallMatrix layers(experts * sizes.width, sizes.width);  // one below the other
  SmallMatrix sorted(sizes.tokens, sizes.width);  // tokens on each device, sorted by expert
  SmallMatrix golden(sizes.tokens, sizes.width);
  for (std::uint32_t e = 0; e < experts; ++e) {
    const SmallMatrix layer = SmallMatrix::sparse(sizes.width, sizes.width, kOnesOfALayer, random);
    std::copy(layer.entries.begin(), layer.entries.end(),
              layers.entries.begin() + static_cast<std::ptrdiff_t>(e * layer.entries.size()));
  }
  for (std::uint32_t d = 0; d < experts; ++d) {
    std::vector<std::uint32_t> order(
        own);  // equal numbers of tokens for each expert, in random order
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    for (std::uint32_t i = 0; i < own; ++i) {
      const SmallMatrix token = tokens.some_rows(d * own + order[i], 1);
      const SmallMatrix result =
          SmallMatrix::product(token, layers.some_rows(i / each * sizes.width, sizes.width), true);
      for (std::uint32_t c = 0; c < sizes.width; ++c) {
        sorted.at(d * own + i, c) = token.at(0, c);
        golden.at(d * own + i, c) = result.at(0, c);
      }
    }
  }
  const Matrix mine = machine.cut(sorted, 0);
  const Matrix weights = machine.cut(layers, 0);
  const Matrix chosen = machine.cut(sizes.tokens, sizes.width, 0);
  const Matrix computed = machine.cut(sizes.tokens, sizes.width, 0);
  const Matrix back = machine.cut(sizes.tokens, sizes.width, 0);
  machine.collective("dispatch", Primitive::kAllToAll, mine, chosen);
  machine.multiply("experts", chosen, weights, computed, true);
  machine.collective("combine", Primitive::kAllToAll, computed, back);
  return compare(back, golden);
}

std::string pipeline_parallel(ParallelMachine& machine, const Sizes& sizes, Random& random) {
  const std::uint32_t stages = machine.devices();
  const std::uint32_t rows = sizes.tokens / sizes.batches;
  // Sums of one or two entries, so that many layers keep them small.
  std::vector<SmallMatrix> layers;
  SmallMatrix all_layers(stages * sizes.width, sizes.width);
  for (std::uint32_t s = 0; s < stages; ++s) {
    layers.push_back(SmallMatrix::sparse(sizes.width, sizes.width, 1 + s % 2, random));
    std::copy(
        layers[s].entries.begin(), layers[s].entries.end(),
        all_layers.entries.begin() + static_cast<std::ptrdiff_t>(s * layers[s].entries.size()));
  }
  const Matrix weights = machine.cut(all_layers, 0);
  const Matrix in = machine.cut(stages * rows, sizes.width, 0);
  const Matrix out = machine.cut(stages * rows, sizes.width, 0);

  if (sizes.overlap) return overlapped_pipeline(machine, sizes, layers, weights, random);
  std::vector<SmallMatrix> golden;
  std::string wrong;
  for (std::uint32_t step = 0; step < sizes.batches + stages - 1; ++step) {
    if (step < sizes.batches) {
      SmallMatrix batch = SmallMatrix::random(rows, sizes.width, 2, random);
      in->write_shard({0, 0}, batch.as_bfloat16());
      for (const SmallMatrix& layer : layers) batch = SmallMatrix::product(batch, layer, true);
      golden.push_back(batch);
    }
    std::vector<bool> active(stages);  // stages with a batch
    for (std::uint32_t s = 0; s < stages; ++s) active[s] = s <= step && step - s < sizes.batches;
    machine.multiply("step " + std::to_string(step) + " layers", in, weights, out, true, active);
    if (active[stages - 1] && wrong.empty())
      wrong = compare(out, stages - 1, golden[step - (stages - 1)]);
    if (step + 1 < sizes.batches + stages - 1)
      machine.pass_on("step " + std::to_string(step) + " to the next", out, in);
  }
  return wrong;
}

}  // namespace tvp::workloads::parallel
