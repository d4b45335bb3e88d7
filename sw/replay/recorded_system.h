#pragma once

#include <optional>
#include <string>

namespace tvp::replay {

/// The system that a recording names before its first message, if it names one of the platform's
/// own: what is a path there, or a setting, is for the user to repeat, since a file of a stranger
/// is not to choose what else is opened or written. Nothing of a pipe, which is read once.
std::optional<std::string> recorded_system(const std::string& file);

}  // namespace tvp::replay
