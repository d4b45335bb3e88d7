#pragma once

#include <string>
#include <vector>

#include "tests/layers/arrow_table.h"
#include "tests/layers/include_graph.h"

namespace tvp::layers {

/// Compares a tree with its table of allowed includes. Each finding is a sentence.
struct LayerCheck {
  /// "file:line: …" of includes without an arrow, and files in no block.
  std::vector<std::string> forbidden;
  /// Arrows that no file uses.
  std::vector<std::string> unused;
};

LayerCheck check_layers(const ArrowTable& table, const IncludeGraph& graph);

}  // namespace tvp::layers
