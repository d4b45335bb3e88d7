// Integer functions on one tile of each of two buffers.

#include "tests/firmware/programs/integer_functions.h"

#include "api/compute/compute_kernel_api.h"

namespace NAMESPACE {

static void compute(tvp::test::IntegerFunction function) {
  switch (function) {
#define INTEGER_FUNCTION(name, call, ...) \
  case tvp::test::IntegerFunction::name:  \
    call;                                 \
    break;
#define UINT16_FUNCTION INTEGER_FUNCTION
#define CAST_FUNCTION(name, in, out, call, ...) INTEGER_FUNCTION(name, call)
#include "tests/firmware/programs/integer_functions.def"
#undef INTEGER_FUNCTION
#undef UINT16_FUNCTION
#undef CAST_FUNCTION
  }
}

void MAIN {
  const tvp::test::IntegerFunctionParameters& p = tvp::test::integer_function_parameters;
  init_sfpu(p.a, p.out);
  cb_wait_front(p.a, 1);
  cb_wait_front(p.b, 1);
  tile_regs_acquire();
  reconfig_data_format_srca(p.a);
  copy_tile(p.a, 0, 0);
  copy_tile(p.b, 0, 1);
  compute(p.function);
  tile_regs_commit();
  cb_reserve_back(p.out, 1);
  tile_regs_wait();
  pack_tile(0, p.out);
  cb_push_back(p.out, 1);
  tile_regs_release();
  cb_pop_front(p.a, 1);
  if (p.b != p.a) cb_pop_front(p.b, 1);
}

}  // namespace NAMESPACE
