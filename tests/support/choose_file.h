#pragma once

namespace tvp::test {

/// Of `--file=niu_test.cpp` in the arguments: only what stands in that file is to run. Tests of
/// several files are one program, and SystemC serves one of them in a process. False when there are
/// no tests of that file.
bool choose_file(int argc, char** argv);

}  // namespace tvp::test
