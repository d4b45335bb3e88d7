#pragma once

namespace tvp::test {

/// Handles `--file=niu_test.cpp` in the arguments: only the tests of that file run. A program has
/// the tests of several files, but SystemC serves one of them in a process. Returns false if the
/// file has no tests.
bool choose_file(int argc, char** argv);

}  // namespace tvp::test
