// What runs between the start of a kernel image and kernel_main.

#if defined(COMPILE_FOR_TRISC)

#include "internal/firmware_globals.h"

#if COMPILE_FOR_TRISC == 0
namespace chlkc_unpack {
void unpack_main();
}
#define KERNEL_MAIN chlkc_unpack::unpack_main
#elif COMPILE_FOR_TRISC == 1
namespace chlkc_math {
void math_main();
}
#define KERNEL_MAIN chlkc_math::math_main
#else
namespace chlkc_pack {
void pack_main();
}
#define KERNEL_MAIN chlkc_pack::pack_main
#endif

extern "C" void kernel_entry() { KERNEL_MAIN(); }

#else

#include "internal/noc_nonblocking_api.h"

void kernel_main();

extern "C" void kernel_entry() {
  noc_local_state_init(NOC_INDEX);
  kernel_main();
}

#endif
