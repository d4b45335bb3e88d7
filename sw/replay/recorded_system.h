#pragma once

#include <optional>
#include <string>

namespace tvp::replay {

/// Returns the system that a recording names before its first message, if it is one of the
/// platform's own. Paths and settings in the file are ignored, because another user's file must not
/// open or write files; the user repeats them. Returns nothing for a pipe, which can be read only
/// once.
std::optional<std::string> recorded_system(const std::string& file);

}  // namespace tvp::replay
