#pragma once

#include <string>
#include <vector>

namespace tvp::foundation {

/// The name that is nearest to `wrong` by letters changed, added or left out; "" when none is near
/// enough to have been meant.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names);

/// "; did you mean 'NAME'?" for a message that refuses `wrong`; "" when none is near.
std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& names);

}  // namespace tvp::foundation
