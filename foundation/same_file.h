#pragma once

#include <string>

namespace tvp::foundation {

/// Whether what is written under both names ends in one file, however they are spelled: another
/// way to the same folder, symbolic links also to what does not exist yet, hard links. Devices,
/// pipes and terminals take what is written to them twice, so they never are.
bool same_file(const std::string& a, const std::string& b);

}  // namespace tvp::foundation
