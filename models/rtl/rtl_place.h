#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tvp::rtl {

/// Where a key puts RTL: the text [chipN.]LIBRARY[:X:Y].
struct RtlPlace {
  std::optional<unsigned> chip;
  std::string library;
  struct Node {
    unsigned x = 0;
    unsigned y = 0;
  };
  std::optional<Node> node;
};

/// Absent if the text has only one of X and Y.
std::optional<RtlPlace> read_rtl_place(std::string_view text);

}  // namespace tvp::rtl
