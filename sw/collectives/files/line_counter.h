#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tvp::collectives {

/// Line numbers of ascending places in a text, which is read once in total.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  /// The line, from 1 on, of a place that is not before the last one.
  std::uint32_t at(std::size_t place) {
    const std::string_view passed = text_.substr(counted_, place - counted_);
    line_ += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    counted_ += passed.size();
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace tvp::collectives
