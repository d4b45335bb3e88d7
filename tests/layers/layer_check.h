#pragma once

#include <string>
#include <vector>

#include "tests/layers/arrow_table.h"
#include "tests/layers/include_graph.h"

namespace tvp::layers {

/// What holds a tree to its table of arrows; each is a sentence for a person, and none when all is
/// well.
struct LayerCheck {
  /// "file:line: …" of includes that no arrow allows, and files that are in no block.
  std::vector<std::string> forbidden;
  /// Arrows that no file needs any more.
  std::vector<std::string> unused;
};

LayerCheck check_layers(const ArrowTable& table, const IncludeGraph& graph);

}  // namespace tvp::layers
