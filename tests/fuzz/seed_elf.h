#pragma once

#include <string>

namespace tvp::test {

/// A small program with debug information, notes and a symbol tohost, for L1 of a Tensix tile; made
/// by the cross compiler once a process.
const std::string& seed_elf();

}  // namespace tvp::test
