#pragma once

#include <string>

#include "foundation/chip/chip_spec.h"

namespace tvp::platform {

/// A SoC descriptor of tt-umd (YAML, schema docs/yaml_schemas of tt-umd): the kinds of all nodes in
/// NoC 0 coordinates "x-y", and sizes of memories. It lists all Tensix tiles as workers; the
/// cluster descriptor has the harvested rows.
std::string soc_descriptor(const foundation::ChipSpec& spec);

}  // namespace tvp::platform
