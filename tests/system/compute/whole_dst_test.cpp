// Kernels whose host lets math and packers use all of Dst in turn (dst_full_sync_en). Dst holds
// twice as many tiles, and all are zero when acquired.

#include <gtest/gtest.h>

#include "tests/system/benches/operation_bench.h"
#include "tests/system/benches/tile_matrix.h"
#include "tests/system/benches/written_kernel.h"

namespace tvp::test {
namespace {

constexpr Word kRounds = 3;

TEST(WholeDst, HoldsTwiceAsManyTiles) {
  for (const bool fp32 : {false, true}) {
    const Word tiles = fp32 ? 8 : 16;
    OperationBench bench(true);
    const auto number = [](std::size_t tile, std::size_t r, std::size_t c) {
      return static_cast<float>((3 * tile + 5 * r + 7 * c) % 11) - 4;
    };
    Words words;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      const Words one =
          tile16(each([&](std::size_t r, std::size_t c) { return to_bf16(number(tile, r, c)); }));
      words.insert(words.end(), one.begin(), one.end());
    }
    const auto in = bench.local(words),
               out = bench.local(Words(std::size_t{kRounds} * tiles * 512, 0x7FC07FC0));
    Operation operation(bench);
    operation.buffer(0, in, runtime::DataFormat::Float16_b, 2048)
        .buffer(16, out, runtime::DataFormat::Float16_b, 2048)
        .reader(written("gives.cpp", R"(
void kernel_main() {
  cb_reserve_back(0, get_compile_time_arg_val(0));
  cb_push_back(0, get_compile_time_arg_val(0));
}
)"),
                {.compile = {tiles}})
        .compute(written("squares.cpp", R"(
#include "api/compute/eltwise_binary.h"
static_assert(DST_SYNC_MODE == DstSync::SyncFull);
void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  binary_op_init_common(0, 0, 16);
  mul_tiles_init(0, 0);
  cb_wait_front(0, tiles);
  for (uint32_t round = 0; round < get_compile_time_arg_val(1); ++round) {
    cb_reserve_back(16, tiles);
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; ++i) mul_tiles(0, 0, i, i, i);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < tiles; ++i) pack_tile(i, 16);
    tile_regs_release();
    cb_push_back(16, tiles);
  }
}
)"),
                 {.compile = {tiles, kRounds}, .fp32_dst = fp32, .whole_dst = true});
    operation.run();
    const Words result = bench.local_words(out);
    for (std::size_t i = 0; i < kRounds * tiles; ++i) {
      const Matrix m = matrix(Words(result.begin() + static_cast<std::ptrdiff_t>(512 * i),
                                    result.begin() + static_cast<std::ptrdiff_t>(512 * (i + 1))));
      for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t c = 0; c < 32; ++c) {
          const float x = number(i % tiles, r, c);
          ASSERT_EQ(f(from_bf16(m[r][c])), x * x) << fp32 << ", " << i << ": " << r << ", " << c;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tvp::test
