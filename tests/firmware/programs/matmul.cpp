// Matrix multiplications by tiles and by blocks, and copies between formats.

#include "tests/firmware/programs/matmul.h"

#include "api/compute/compute_kernel_api.h"

namespace NAMESPACE {

using tvp::test::MatmulParameters;

constexpr uint32_t kA = 0;
constexpr uint32_t kB = 1;
constexpr uint32_t kPartials = 2;

static void init(const MatmulParameters& p) {
  if (p.mode == MatmulParameters::Mode::kBlock) {
    mm_block_init_short_with_dt(kA, kB, kPartials, p.transpose, p.ct, p.rt, p.kt);
  } else {
    mm_init_short_with_dt(kA, kB, kPartials, p.transpose);
  }
}

static void multiply(const MatmulParameters& p) {
  if (p.mode == MatmulParameters::Mode::kBlock) {
    for (uint32_t k = 0; k < p.kt; ++k)
      matmul_block(kA, kB, k, k * p.ct, 0, p.transpose, p.ct, p.rt, p.kt);
    return;
  }
  for (uint32_t r = 0; r < p.rt; ++r)
    for (uint32_t c = 0; c < p.ct; ++c)
      for (uint32_t k = 0; k < p.kt; ++k)
        matmul_tiles(kA, kB, r * p.kt + k, k * p.ct + c, r * p.ct + c);
}

static void compute(const MatmulParameters& p, uint32_t tiles) {
  if (p.mode == MatmulParameters::Mode::kCopy) {
    copy_tile_init(p.in);
    for (uint32_t i = 0; i < tiles; ++i) copy_tile(p.in, i, i);
    return;
  }
  if (p.partials) {
    copy_tile_to_dst_init_short_with_dt(kB, kPartials);
    copy_block_matmul_partials(kPartials, 0, 0, tiles);
    init(p);
  }
  multiply(p);
}

void MAIN {
  const MatmulParameters& p = tvp::test::matmul_parameters;
  const uint32_t tiles = p.rt * p.ct;
  if (p.mode == MatmulParameters::Mode::kCopy) {
    unary_op_init_common(p.in, p.out);
    cb_wait_front(p.in, tiles);
  } else if (p.mode == MatmulParameters::Mode::kBlock) {
    mm_block_init(kA, kB, p.out, p.transpose, p.ct, p.rt, p.kt);
  } else {
    mm_init(kA, kB, p.out, p.transpose);
  }
  cb_reserve_back(p.out, tiles);
  for (uint32_t time = 0; time < p.accumulations; ++time) {
    tile_regs_acquire();
    compute(p, tiles);
    tile_regs_commit();
    tile_regs_wait();
    if (p.accumulations > 1) pack_reconfig_l1_acc(time != 0);
    for (uint32_t i = 0; i < tiles; ++i) pack_tile<true>(i, p.out, i);
    tile_regs_release();
  }
  cb_push_back(p.out, tiles);
}

}  // namespace NAMESPACE
