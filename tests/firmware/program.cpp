// The build compiles this file once per thread for each compute source. It defines
// COMPILE_FOR_TRISC, MAIN, NAMESPACE, TVP_PROGRAM (a name) and TVP_PROGRAM_SOURCE, and renames
// cb_interface.

#include "tests/firmware/program.h"

#include TVP_PROGRAM_SOURCE

CBInterface cb_interface[NUM_CIRCULAR_BUFFERS];

namespace tvp::test {
extern const ThreadProgram TVP_PROGRAM;
const ThreadProgram TVP_PROGRAM{&NAMESPACE::run, cb_interface};
}  // namespace tvp::test
