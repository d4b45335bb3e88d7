#pragma once

#include <string>
#include <vector>

namespace tvp::foundation {

/// The name with the smallest edit distance to `wrong`; "" if none is near enough.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names);

/// "; did you mean 'NAME'?" for a message that refuses `wrong`; "" if no name is near.
std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& names);

}  // namespace tvp::foundation
