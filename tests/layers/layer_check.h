#pragma once

#include <string>
#include <vector>

#include "tests/layers/arrow_table.h"
#include "tests/layers/include_graph.h"

namespace tvp::layers {

/// Checks a tree against its table of arrows. Each finding is a sentence.
struct LayerCheck {
  /// "file:line: …" of includes that no arrow allows, and files that are in no block.
  std::vector<std::string> forbidden;
  /// Arrows that no file needs any more.
  std::vector<std::string> unused;
};

LayerCheck check_layers(const ArrowTable& table, const IncludeGraph& graph);

}  // namespace tvp::layers
