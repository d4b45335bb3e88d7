#pragma once

#include <string>

namespace tvp::foundation {

/// The folder whose firmware/, platform/systems/, models/, sw/report/page/ and waves/ are read at
/// run time. It is share/tensix-vp of the installation prefix of the program or library that calls,
/// or the source tree that it was built from.
std::string source_root();

/// False in the source tree.
bool is_installed();

/// The command that starts the program: ./vp in the source tree, tensix-vp once installed.
std::string program_name();

}  // namespace tvp::foundation
