#pragma once

#include <random>
#include <string>

#include "sw/workloads/parallel/parallel_machine.h"

namespace tvp::workloads::parallel {

/// Sizes in numbers, multiples of the divisors of the kinds.
struct Sizes {
  std::uint32_t tokens = 0;   ///< rows of activations, of all devices together
  std::uint32_t width = 0;    ///< width of an activation
  std::uint32_t inner = 0;    ///< width between the two layers of an MLP
  std::uint32_t batches = 0;  ///< batches in a pipeline
  bool mean = false;          ///< mean of gradients instead of their sum
  std::uint32_t chunks = 1;   ///< chunks of tokens, whose products and collectives overlap
  bool overlap = false;       ///< a pipeline computes a batch while it passes on another one
};

// Each kind runs a step of a model over all devices. It compares the result, bit for bit, with that
// of whole matrices on the host. Returns "" or a description of the difference.

/// Two layers, relu(x W1) W2: columns of W1 and rows of W2 on the devices, all_reduce.
std::string tensor_parallel(ParallelMachine& machine, const Sizes& sizes, std::mt19937_64& random);
/// Gradients x^T g of a part of the tokens on each device; their sum or mean by all_reduce.
std::string data_parallel(ParallelMachine& machine, const Sizes& sizes, std::mt19937_64& random);
/// The two layers for tokens that are on all devices: all_gather before, reduce_scatter behind.
std::string sequence_parallel(ParallelMachine& machine, const Sizes& sizes,
                              std::mt19937_64& random);
/// Each device has its own layer, to which all_to_all brings the tokens that chose it.
std::string expert_parallel(ParallelMachine& machine, const Sizes& sizes, std::mt19937_64& random);
/// Consecutive layers on the devices, through which batches of tokens go point to point.
std::string pipeline_parallel(ParallelMachine& machine, const Sizes& sizes,
                              std::mt19937_64& random);

}  // namespace tvp::workloads::parallel
