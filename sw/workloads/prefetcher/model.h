#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/programs/kernel_types.h"

namespace tvp::workloads::prefetcher {

/// The weights of one matrix multiplication of a layer, on one device.
struct WeightShape {
  std::string name;
  std::uint32_t k = 0;  ///< rows, a multiple of 32
  std::uint32_t n = 0;  ///< columns, a multiple of 32
  runtime::DataFormat format = runtime::DataFormat::Bfp8_b;
};

/// The weights of a layer in the order of their use. `model` is one of model_names() or a TOML file
/// of `[[tensor]]` tables with name, k, n and format. Throws Fault(kDescription) for anything else.
std::vector<WeightShape> layer_of(const std::string& model);
std::vector<std::string> model_names();
/// "bfloat4_b", "bfloat8_b" or "bfloat16".
std::string name_of(runtime::DataFormat format);

}  // namespace tvp::workloads::prefetcher
