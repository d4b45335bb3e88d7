#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

// `#pragma GCC unroll` with a value that a template's parameters give is an error to GCC 12, which
// published kernels are not written for. It is a hint, without which a loop is as right: where a
// kernel does not compile for that reason alone, it is preprocessed, such hints are taken out, and
// that is compiled.

/// True if the compiler complains about nothing but unroll hints.
bool only_unroll_hints(const std::string& messages);

/// A preprocessed text without the hints that have no plain number; its lines stay where they are.
std::string without_unroll_hints(const std::string& preprocessed);

/// The command that preprocesses what `command` compiles, and the one that compiles the result,
/// which is in the file `preprocessed`.
std::vector<std::string> preprocessing(const std::vector<std::string>& command);
std::vector<std::string> compiling_preprocessed(const std::vector<std::string>& command,
                                                const std::string& preprocessed);

}  // namespace tvp::runtime
