#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tvp::runtime {

/// The files on which `target` depends, from a make rule of a compiler (gcc's -MD). Words have
/// make's escapes: "\ " for a space, "\#", "$$", a backslash before the end of a line. Returns
/// nothing if the text is not one whole rule of that target.
std::optional<std::vector<std::string>> dependencies_of(const std::string& rule,
                                                        const std::string& target);

}  // namespace tvp::runtime
