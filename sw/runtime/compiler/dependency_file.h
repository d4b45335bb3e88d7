#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tvp::runtime {

/// The files that a make rule of a compiler (gcc's -MD) says `target` depends on: words with make's
/// escapes ("\ " for a space, "\#", "$$", a backslash before the end of a line). Nothing when the
/// text is not one whole rule of that target.
std::optional<std::vector<std::string>> dependencies_of(const std::string& rule,
                                                        const std::string& target);

}  // namespace tvp::runtime
