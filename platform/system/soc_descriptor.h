#pragma once

#include <string>

#include "foundation/chip/chip_spec.h"

namespace tvp::platform {

/// A chip as tt-umd's SoC descriptors say it (YAML, schema docs/yaml_schemas of tt-umd): nodes by
/// what they are, in NoC 0 coordinates "x-y", and sizes of memories. All Tensix tiles are workers
/// there; which rows are harvested stands in the cluster descriptor.
std::string soc_descriptor(const foundation::ChipSpec& spec);

}  // namespace tvp::platform
