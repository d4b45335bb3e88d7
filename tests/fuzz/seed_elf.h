#pragma once

#include <string>

namespace tvp::test {

/// A small program for L1 of a Tensix tile, with debug information, notes and a symbol tohost. The
/// cross compiler builds it once per process.
const std::string& seed_elf();
/// A program that never ends, for L1 of a Tensix tile.
const std::string& endless_elf();
/// The same for a PIM unit.
const std::string& endless_unit_elf();

}  // namespace tvp::test
